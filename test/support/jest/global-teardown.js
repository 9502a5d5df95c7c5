import { endTestRun } from './test-run.ts';

export default endTestRun;
