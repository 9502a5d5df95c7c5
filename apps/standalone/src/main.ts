import { availableParallelism } from 'node:os';
import type { ServiceGroupName } from '@sightline/platform/config/variable-groups';
import { tuneMalloc } from '@sightline/platform/config/tune-malloc';
import { enableCodeCache } from '@sightline/platform/process/enable-code-cache';
import manifest from '../package.json' with { type: 'json' };

tuneMalloc();
enableCodeCache();
const { runProcess } = await import('@sightline/platform/process/run-process');
const { SERVICE_GROUPS } = await import('@sightline/platform/config/variable-groups');
const { sizeThreadPool } = await import('@sightline/platform/config/size-thread-pool');
const { openStandalone } = await import('./open-standalone.ts');
const { asStartError } = await import('@sightline/composition/as-start-error');

await runProcess<ServiceGroupName>({
  about: 'everything in one process',
  version: manifest.version,
  variables: SERVICE_GROUPS,
  readiness: 'api',
  prepare: ({ workers }) => sizeThreadPool(workers ?? availableParallelism()),
  open: openStandalone,
  explain: asStartError,
});
