import { backgroundWork } from '@sightline/composition/background-work';
import { BATCH_PER_ADDRESS } from '@sightline/composition/open-inference';
import { openOutside } from '@sightline/composition/open-outside';
import { ORPHAN_GRACE_MS } from '@sightline/core/maintenance/collect-orphans';
import type { Config } from '@sightline/platform/config/parse-config';
import type { Role } from '@sightline/platform/lifecycle/role';
import type { Logger } from '@sightline/platform/logging/logger';
import { createDependencyMetrics } from '@sightline/platform/metrics/dependency-metrics';
import { createMetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { createStoreMetrics } from '@sightline/platform/metrics/store-metrics';
import { createOperationsRole } from '@sightline/platform/operations/operations-role';
import { createWorkerRole } from './role.ts';

export interface WorkerProcessDeps {
  readonly config: Config;
  readonly logger: Logger;
  /** Of the product. */
  readonly version: string;
  /** Ends a start that takes long. */
  readonly signal: AbortSignal;
}

/** The roles of a worker process; disposed of after they have stopped. */
export interface WorkerProcess extends AsyncDisposable {
  readonly roles: readonly Role[];
}

/** @throws StartError if a store or inference is not named, does not come, or cannot be used */
export async function openWorker({ config, ...deps }: WorkerProcessDeps): Promise<WorkerProcess> {
  const { logger } = deps;
  await using opening = new AsyncDisposableStack();
  const registry = createMetricsRegistry();
  const process = { name: 'A worker', applicationName: 'sightline worker' };
  const observer = createDependencyMetrics(registry);
  const outside = opening.use(await openOutside(process, { ...deps, config, observer }));
  const { stores, inference, models } = outside;
  const { analyzer, addresses } = inference;
  const worker = createWorkerRole({
    ...{ ...stores, logger },
    source: stores.indexSource,
    index: stores.vectors,
    work: backgroundWork({
      ...{ stores, analyzer, models, logger },
      concurrency: BATCH_PER_ADDRESS * addresses,
    }),
    followModels: {
      ...{ models, modelStore: stores.models, reembed: stores.reembed, jobs: stores.jobs },
      statuses: (signal) => analyzer.statuses(signal),
    },
    orphanGraceMs: ORPHAN_GRACE_MS,
    observer: createStoreMetrics(registry),
  });
  const { host, opsPort } = config;
  const operations = createOperationsRole({
    ...{ host, port: opsPort, logger, registry },
    checks: [worker],
  });
  const resources = opening.move();
  return { roles: [operations, worker], [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
