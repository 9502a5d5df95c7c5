import type { EngineObserver, EngineStatus } from '@sightline/engine/engine';
import type { SetChange } from '@sightline/engine/serving/held-sets';
import type { Logger } from '@sightline/platform/logging/logger';
import type { MetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { createInferenceMetrics, type InferenceState } from './inference-metrics.ts';

/** The error codes of images that cannot be decoded. */
const DECODE_FAILURES = new Set(['unsupported_format', 'image_too_large', 'image_corrupt']);

const NONE = { queued: 0, running: 0, environmentsQueued: 0 };
const STARTING: InferenceState = {
  load: { interactive: NONE, background: NONE },
  sets: 0,
  hasGpu: false,
  provider: 'cpu',
  fallbackReason: null,
};

/** Turns the engine's events into metrics, and logs the loss of a worker and changes of models. */
export function observeEngine(deps: {
  readonly registry: MetricsRegistry;
  readonly logger: Logger;
  /** Returns undefined while the engine starts. */
  readonly status: () => EngineStatus | undefined;
}): EngineObserver {
  const { registry, logger, status } = deps;
  const metrics = createInferenceMetrics(registry, () => status() ?? STARTING);
  return {
    jobStarted: (waitedMilliseconds, lane) => metrics.jobStarted(waitedMilliseconds, lane),
    jobRefused: (cause) => metrics.jobRefused(cause),
    helpStarted: () => metrics.helpStarted(),
    workerLost: (reason) => {
      metrics.workerLost();
      logger.error({ err: reason }, 'an inference worker ended unexpectedly and is replaced');
    },
    stageTimed: ({ stage, model, milliseconds }) =>
      metrics.stageFinished({ stage, model: model ?? '' }, milliseconds),
    analysisRefused: (code) => {
      if (DECODE_FAILURES.has(code)) metrics.decodeFailed(code);
    },
    setChanged: (change) => {
      metrics.setChanged(change.kind);
      logChange(logger, change);
    },
  };
}

function logChange(logger: Logger, change: SetChange): void {
  const { models } = change;
  switch (change.kind) {
    case 'loaded':
      logLoaded(logger, change);
      return;
    case 'failed':
      logger.error({ models, err: change.error }, 'models could not be loaded');
      return;
    case 'released':
      logger.info({ models }, 'unloaded models from memory');
  }
}

function logLoaded(
  logger: Logger,
  { models, milliseconds, set }: Extract<SetChange, { readonly kind: 'loaded' }>,
): void {
  const { provider, fallbackReason } = set;
  logger.info({ models, provider, milliseconds: Math.round(milliseconds) }, 'loaded models');
  if (fallbackReason !== null) logger.warn({ reason: fallbackReason }, 'models run on the CPU');
}
