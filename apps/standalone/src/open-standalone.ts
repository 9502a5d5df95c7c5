import { createApiRole } from '@sightline/api/role';
import { DEFAULT_RECOGNITION_SETTINGS } from '@sightline/core/settings/recognition-settings';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { createEngine, type Engine } from '@sightline/engine/engine';
import { LocalImageAnalyzer } from '@sightline/inference-local/local-image-analyzer';
import type { Config } from '@sightline/platform/config/parse-config';
import type { Role } from '@sightline/platform/lifecycle/role';
import type { Logger } from '@sightline/platform/logging/logger';
import { createHttpMetrics } from '@sightline/platform/metrics/http-metrics';
import { createMetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { createOperationsRole } from '@sightline/platform/operations/operations-role';
import { GuardedFetch } from '@sightline/platform/outgoing/guarded-fetch';
import { observeEngine } from './observe-engine.ts';
import { openModels, refuseToStart } from './open-models.ts';

/** When the listeners have stopped nobody waits for an image; this is for one that hangs. */
const CLOSE_TIMEOUT_MS = 5_000;

/** The roles of one process and what they share; disposed of after the roles have stopped. */
export interface Standalone extends AsyncDisposable {
  readonly roles: readonly Role[];
}

export interface StandaloneDeps {
  readonly config: Config;
  readonly logger: Logger;
  /** Of the product. */
  readonly version: string;
}

/** @throws StartError if the models cannot be found or loaded */
export async function openStandalone({
  config,
  logger,
  version,
}: StandaloneDeps): Promise<Standalone> {
  await using opening = new AsyncDisposableStack();
  const registry = createMetricsRegistry();
  const engine = await openEngine({ config, logger }, registry);
  opening.defer(() => engine.close(AbortSignal.timeout(CLOSE_TIMEOUT_MS)));
  const outgoing = opening.use(
    new GuardedFetch({
      ownEndpoints: () => [api.address, operations.endpoint].filter((own) => own !== null),
    }),
  );
  const { host, port, opsPort } = config;
  const api = createApiRole({
    ...{ host, port, logger, outgoing, version },
    observer: createHttpMetrics(registry),
    analyzer: new LocalImageAnalyzer(engine),
    settings: DEFAULT_RECOGNITION_SETTINGS,
    imageLimits: DEFAULT_IMAGE_LIMITS,
    batchConcurrency: batchConcurrency(engine.status().workers, config.queueLimit),
    healthChecks: {},
  });
  const operations = createOperationsRole({
    ...{ host, port: opsPort, logger, registry },
    checks: [api],
  });
  const resources = opening.move();
  return {
    roles: [operations, api],
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** One image at work and one at hand for each worker, as far as the queue holds them. */
function batchConcurrency(workers: number, queueLimit: number): number {
  return workers + Math.min(workers, queueLimit);
}

async function openEngine(
  { config, logger }: Pick<StandaloneDeps, 'config' | 'logger'>,
  registry: ReturnType<typeof createMetricsRegistry>,
): Promise<Engine> {
  const packs = await openModels(config, logger);
  let engine: Engine | undefined = undefined;
  const observer = observeEngine({ registry, logger, status: () => engine?.status() });
  engine = await refuseToStart(
    () =>
      createEngine({
        ...packs,
        observer,
        provider: config.provider,
        workers: config.workers ?? undefined,
        queueLimit: config.queueLimit,
        limits: DEFAULT_IMAGE_LIMITS,
      }),
    () => 'Repair or remove that pack.',
  );
  const { models, provider, fallbackReason, workers } = engine.status();
  const names = models.map(({ task, name }) => `${task}: ${name}`);
  logger.info({ models: names, provider, workers }, 'models are warm');
  if (fallbackReason !== null) logger.warn({ reason: fallbackReason }, 'models run on the CPU');
  return engine;
}
