import { startTestRun } from './test-run.ts';

export default startTestRun;
