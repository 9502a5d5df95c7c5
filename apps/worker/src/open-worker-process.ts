import { backgroundWork } from '@sightline/composition/background-work';
import { BATCH_PER_ADDRESS } from '@sightline/composition/open-inference';
import { openOutside } from '@sightline/composition/open-outside';
import { ORPHAN_GRACE_MS } from '@sightline/core/maintenance/collect-orphans';
import { createDependencyMetrics } from '@sightline/platform/metrics/dependency-metrics';
import { createWorkerMetrics } from './metrics/worker-metrics.ts';
import type { OpenedProcess, Surroundings } from '@sightline/platform/process/run-process';
import { createWorkerRole } from './role.ts';

/** @throws StartError if a store or inference is not named, does not come, or cannot be used */
export async function openWorkerProcess(deps: Surroundings): Promise<OpenedProcess> {
  const { logger, registry } = deps;
  await using opening = new AsyncDisposableStack();
  const process = { name: 'A worker', applicationName: 'sightline worker' };
  const observer = createDependencyMetrics(registry);
  const outside = opening.use(await openOutside(process, { ...deps, observer }));
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
    observer: createWorkerMetrics(registry),
  });
  const resources = opening.move();
  return { roles: [worker], [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
