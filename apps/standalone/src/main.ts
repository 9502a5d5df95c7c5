import { availableParallelism } from 'node:os';
import type { ServiceGroupName } from '@sightline/platform/config/variable-groups';
import { tuneMalloc } from '@sightline/platform/config/tune-malloc';
import { countBuffers } from '@sightline/platform/process/count-buffers';
import { enableCodeCache } from '@sightline/platform/process/enable-code-cache';
import manifest from '../package.json' with { type: 'json' };

tuneMalloc();
countBuffers();
enableCodeCache();
const { runProcess } = await import('@sightline/platform/process/run-process');
const { SERVICE_GROUPS } = await import('@sightline/platform/config/variable-groups');
const { sizeThreadPool } = await import('@sightline/platform/config/size-thread-pool');
const { asStartError } = await import('@sightline/composition/as-start-error');

await runProcess<ServiceGroupName>({
  about: 'everything in one process',
  version: manifest.version,
  variables: SERVICE_GROUPS,
  readiness: 'api',
  prepare: ({ workers }) => sizeThreadPool(workers ?? availableParallelism()),
  // Most of the code is loaded after the settings were checked, so that an error in them and the help appear at once.
  open: async (context) => (await import('./open-standalone.ts')).openStandalone(context),
  explain: asStartError,
});
