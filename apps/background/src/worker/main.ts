import { countBuffers } from '@sightline/platform/process/count-buffers';
import { enableCodeCache } from '@sightline/platform/process/enable-code-cache';
import manifest from '../../package.json' with { type: 'json' };

countBuffers();
enableCodeCache();
const { runProcess } = await import('@sightline/platform/process/run-process');
const { openWorkerProcess, WORKER_VARIABLES } = await import('./open-worker-process.ts');
const { asStartError } = await import('@sightline/composition/as-start-error');

await runProcess({
  about: 'a worker',
  version: manifest.version,
  variables: WORKER_VARIABLES,
  readiness: 'worker',
  open: openWorkerProcess,
  explain: asStartError,
});
