import { asStartError } from '@sightline/composition/as-start-error';
import { runProcess } from '@sightline/platform/process/run-process';
import manifest from '../package.json' with { type: 'json' };
import { openWorkerProcess } from './open-worker-process.ts';

await runProcess({
  about: 'a worker',
  version: manifest.version,
  readiness: 'worker',
  open: openWorkerProcess,
  explain: asStartError,
});
