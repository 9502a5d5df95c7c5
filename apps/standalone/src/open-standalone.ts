import { createApiRole } from '@sightline/api/role';
import { KeyAuthenticator } from '@sightline/core/accounts/authenticate-key';
import { reembedFaces } from '@sightline/core/detections/reembedding/reembed-faces';
import type { ImageAnalyzer } from '@sightline/core/detections/image-analyzer';
import { ORPHAN_GRACE_MS } from '@sightline/core/maintenance/collect-orphans';
import { TailCache } from '@sightline/core/matching/tail-cache';
import { activateAtStart } from '@sightline/core/models/activate-at-start';
import { ModelRegistry } from '@sightline/core/models/model-registry';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { LocalImageAnalyzer } from '@sightline/inference-local/local-image-analyzer';
import { availableProviders } from '@sightline/engine/onnx/session';
import type { Config } from '@sightline/platform/config/parse-config';
import { readS3Settings, type S3Settings } from '@sightline/platform/config/read-s3-settings';
import type { Role } from '@sightline/platform/lifecycle/role';
import type { Logger } from '@sightline/platform/logging/logger';
import { createHttpMetrics } from '@sightline/platform/metrics/http-metrics';
import { createMetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { createStoreMetrics } from '@sightline/platform/metrics/store-metrics';
import { createOperationsRole } from '@sightline/platform/operations/operations-role';
import { GuardedFetch } from '@sightline/platform/outgoing/guarded-fetch';
import type { Endpoint } from '@sightline/platform/outgoing/target-guard';
import { createWorkerRole, type WorkerRole } from '@sightline/worker/role';
import { keepFirstKey } from './keep-first-key.ts';
import { logReembedding } from './log-reembedding.ts';
import { openEngine } from '@sightline/serving/open-engine';
import { openModels } from '@sightline/serving/open-models';
import { type EmbeddedStores, openStores, type StorePorts } from './open-stores.ts';

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
  /** Puts something between the use cases and their stores. */
  readonly decorate?: (ports: StorePorts) => StorePorts;
  /** Ends a start that takes long. */
  readonly signal: AbortSignal;
}

/** @throws StartError if models or data cannot be used */
export async function openStandalone(deps: StandaloneDeps): Promise<Standalone> {
  const { config, logger, version, signal, decorate = (ports: StorePorts) => ports } = deps;
  await using opening = new AsyncDisposableStack();
  const registry = createMetricsRegistry();
  // What may refuse the start comes before what takes time.
  const s3 = readS3Settings(config);
  const packs = await openModels({ config, logger, signal });
  const opened = opening.use(await openStores({ data: config.data, s3, version, logger, signal }));
  const stores = { ...opened, ...decorate(opened) };
  const engine = await openEngine({ packs, config, logger, registry });
  opening.defer(() => engine.close(AbortSignal.timeout(CLOSE_TIMEOUT_MS)));
  const outgoing = opening.use(
    new GuardedFetch({
      ownEndpoints: () =>
        [api.address, operations.endpoint, ...endpointsOf(s3)].filter((own) => own !== null),
    }),
  );

  const { workers } = engine.status();
  const shared: Shared = {
    analyzer: new LocalImageAnalyzer(engine),
    models: new ModelRegistry(stores.models),
    indexer: { nudge: () => worker.nudge() },
    logger,
  };
  const { host, port, opsPort } = config;
  const worker = createWorker({ ...stores, ...shared }, { registry, concurrency: workers });
  const api = createApiRole({
    ...{ ...stores, ...shared, host, port, outgoing, version },
    keys: new KeyAuthenticator(stores.keys),
    modelStore: stores.models,
    tails: new TailCache(),
    observer: createHttpMetrics(registry),
    gpuAvailable: () => availableProviders().includes('cuda'),
    imageLimits: DEFAULT_IMAGE_LIMITS,
    batchConcurrency: batchConcurrency(workers, config.queueLimit),
  });
  const operations = createOperationsRole({
    ...{ host, port: opsPort, logger, registry },
    checks: [api],
  });
  await activateAtStart({ ...stores, ...shared, modelStore: stores.models }, signal);
  const firstKey = await keepFirstKey({
    keys: stores.keys,
    file: stores.folder.apiKey,
    url: () => api.localUrl!,
  });
  const resources = opening.move();
  return {
    roles: [operations, worker, api, ...(firstKey === null ? [] : [firstKey])],
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** What several roles work with. */
interface Shared {
  readonly analyzer: ImageAnalyzer;
  readonly models: ModelRegistry;
  readonly indexer: { nudge(): void };
  readonly logger: Logger;
}

function createWorker(
  deps: Omit<EmbeddedStores, 'models'> & Shared,
  {
    registry,
    concurrency,
  }: {
    readonly registry: ReturnType<typeof createMetricsRegistry>;
    readonly concurrency: number;
  },
): WorkerRole {
  const { indexSource, changeLog, vectors, jobs, maintenance, media, logger } = deps;
  const reembed = { ...deps, concurrency };
  return createWorkerRole({
    ...{ jobs, maintenance, media, changeLog, logger },
    source: indexSource,
    index: vectors,
    work: {
      reembed: logReembedding(
        (job, report, signal) => reembedFaces(reembed, job, { report, signal }),
        logger,
      ),
    },
    orphanGraceMs: ORPHAN_GRACE_MS,
    observer: createStoreMetrics(registry),
  });
}

/** Where the S3 listens: no place to fetch images from. */
function endpointsOf(s3: S3Settings | null): Endpoint[] {
  if (s3 === null) return [];
  const { protocol, hostname, port } = s3.endpoint;
  const host = hostname.replace(/^\[|\]$/g, '');
  return [{ host, port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port) }];
}

/** One image at work and one at hand for each worker, as far as the queue holds them. */
function batchConcurrency(workers: number, queueLimit: number): number {
  return workers + Math.min(workers, queueLimit);
}
