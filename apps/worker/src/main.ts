import { asStartError } from '@sightline/composition/as-start-error';
import { runProcess } from '@sightline/platform/process/run-process';
import manifest from '../package.json' with { type: 'json' };
import { openWorkerProcess, WORKER_VARIABLES } from './open-worker-process.ts';

await runProcess({
  about: 'a worker',
  version: manifest.version,
  variables: WORKER_VARIABLES,
  readiness: 'worker',
  open: openWorkerProcess,
  explain: asStartError,
});
