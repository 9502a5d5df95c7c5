import { availableParallelism } from 'node:os';
import { sizeThreadPool } from '@sightline/platform/config/size-thread-pool';
import { runProcess } from '@sightline/platform/process/run-process';
import manifest from '../package.json' with { type: 'json' };
import { openInferenceProcess } from './open-inference-process.ts';

await runProcess({
  about: 'a process that runs models',
  version: manifest.version,
  variables: ['server', 'models'],
  readiness: 'inference',
  prepare: ({ workers }) => sizeThreadPool(workers ?? availableParallelism()),
  open: openInferenceProcess,
});
