import { asStartError } from '@sightline/composition/as-start-error';
import { runProcess } from '@sightline/platform/process/run-process';
import manifest from '../package.json' with { type: 'json' };
import { openWorker } from './open-worker.ts';

await runProcess({
  about: 'a worker',
  version: manifest.version,
  readiness: 'worker',
  open: openWorker,
  explain: asStartError,
});
