import { parentPort, workerData } from 'node:worker_threads';
import type { ImageAnalysis } from '@sightline/core/analysis/image-analyzer';
import type { ImageLimits } from '@sightline/core/sources/image-limits';
import { createInferenceRole, type ServedEngine } from '@sightline/inference/role';
import { createLogger } from '@sightline/platform/logging/logger';
import { createHttpMetrics } from '@sightline/platform/metrics/http-metrics';
import { createMetricsRegistry } from '@sightline/platform/metrics/metrics-registry';

/** The input of the thread. */
export interface KnownAnalysis {
  readonly answer: ImageAnalysis;
  readonly status: ReturnType<ServedEngine['status']>;
  readonly limits: ImageLimits;
}

const { answer, status, limits } = workerData as KnownAnalysis;

/** The role of an inference process that answers every image with the prepared analysis. */
const role = createInferenceRole({
  host: '127.0.0.1',
  port: 0,
  keys: null,
  limits,
  bodyMemory: 1024 ** 3,
  openEngine: () =>
    Promise.resolve({
      isIdle: true,
      requireRoom: () => undefined,
      hold: () => undefined,
      warm: () => Promise.resolve(),
      analyze: () => Promise.resolve(answer),
      status: () => status,
      close: () => Promise.resolve(),
    }),
  logger: createLogger({ level: 'silent' }),
  observer: createHttpMetrics(createMetricsRegistry()),
});
await role.start(new AbortController().signal);
parentPort!.postMessage(role.localUrl);
