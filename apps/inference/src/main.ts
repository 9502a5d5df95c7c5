import { availableParallelism } from 'node:os';
import { tuneMalloc } from '@sightline/platform/config/tune-malloc';
import { countBuffers } from '@sightline/platform/process/count-buffers';
import { enableCodeCache } from '@sightline/platform/process/enable-code-cache';
import manifest from '../package.json' with { type: 'json' };

tuneMalloc();
countBuffers();
enableCodeCache();
const { runProcess } = await import('@sightline/platform/process/run-process');
const { sizeThreadPool } = await import('@sightline/platform/config/size-thread-pool');
const { openInferenceProcess } = await import('./open-inference-process.ts');

await runProcess({
  about: 'a process that runs models',
  version: manifest.version,
  variables: ['server', 'models', 'serving', 'media', 'inferenceKey'],
  readiness: 'inference',
  prepare: ({ workers }) => sizeThreadPool(workers ?? availableParallelism()),
  open: openInferenceProcess,
});
