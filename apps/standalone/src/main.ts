import { availableParallelism } from 'node:os';
import { enableCodeCache } from '@sightline/platform/process/enable-code-cache';
import manifest from '../package.json' with { type: 'json' };

enableCodeCache();
const { runProcess } = await import('@sightline/platform/process/run-process');
const { sizeThreadPool } = await import('@sightline/platform/config/size-thread-pool');
const { openStandalone } = await import('./open-standalone.ts');
const { asStartError } = await import('@sightline/composition/as-start-error');

await runProcess({
  about: 'everything in one process',
  version: manifest.version,
  readiness: 'api',
  prepare: ({ workers }) => sizeThreadPool(workers ?? availableParallelism()),
  open: openStandalone,
  explain: asStartError,
});
