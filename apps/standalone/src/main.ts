import { availableParallelism } from 'node:os';
import { asStartError } from '@sightline/composition/as-start-error';
import { ALL_GROUPS, type GroupName } from '@sightline/platform/config/variable-groups';
import { sizeThreadPool } from '@sightline/platform/config/size-thread-pool';
import { runProcess } from '@sightline/platform/process/run-process';
import manifest from '../package.json' with { type: 'json' };
import { openStandalone } from './open-standalone.ts';

await runProcess<GroupName>({
  about: 'everything in one process',
  version: manifest.version,
  variables: ALL_GROUPS,
  readiness: 'api',
  prepare: ({ workers }) => sizeThreadPool(workers ?? availableParallelism()),
  open: openStandalone,
  explain: asStartError,
});
