import { availableParallelism } from 'node:os';
import { asStartError } from '@sightline/composition/as-start-error';
import { sizeThreadPool } from '@sightline/platform/config/size-thread-pool';
import { runProcess } from '@sightline/platform/process/run-process';
import manifest from '../package.json' with { type: 'json' };
import { openStandalone } from './open-standalone.ts';

await runProcess({
  about: 'everything in one process',
  version: manifest.version,
  readiness: 'api',
  prepare: ({ workers }) => sizeThreadPool(workers ?? availableParallelism()),
  open: openStandalone,
  explain: asStartError,
});
