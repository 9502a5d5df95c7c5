import { BATCH_PER_ADDRESS } from '@sightline/composition/open-inference';
import { openOutside } from '@sightline/composition/open-outside';
import { KeyAuthenticator } from '@sightline/core/api-keys/authenticate-key';
import { TailCache } from '@sightline/core/matching/tail-cache';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { createDependencyMetrics } from '@sightline/platform/metrics/dependency-metrics';
import { createHttpMetrics } from '@sightline/platform/metrics/http-metrics';
import { GuardedFetch } from '@sightline/platform/outgoing/guarded-fetch';
import type { OpenedProcess, Surroundings } from '@sightline/platform/process/run-process';
import { createApiRole } from './role.ts';

/** @throws StartError if a store or inference is not named, does not come, or cannot be used */
export async function openApiProcess({
  operations,
  ...deps
}: Surroundings): Promise<OpenedProcess> {
  const { config, logger, registry, version } = deps;
  await using opening = new AsyncDisposableStack();
  const process = { name: 'An API process', applicationName: 'sightline api' };
  const observer = createDependencyMetrics(registry);
  const outside = opening.use(await openOutside(process, { ...deps, observer }));
  const { stores, inference, models, endpoints } = outside;
  const outgoing = opening.use(
    new GuardedFetch({
      ownEndpoints: () =>
        [api.address, operations.endpoint, ...endpoints].filter((own) => own !== null),
    }),
  );
  const { host, port } = config;
  const api = createApiRole({
    ...{ ...stores, models, host, port, outgoing, version, logger },
    analyzer: inference.analyzer,
    keys: new KeyAuthenticator(stores.keys),
    modelStore: stores.models,
    tails: new TailCache(),
    observer: createHttpMetrics(registry),
    gpuAvailable: inference.hasGpu,
    imageLimits: DEFAULT_IMAGE_LIMITS,
    batchConcurrency: BATCH_PER_ADDRESS * inference.addresses,
  });
  const resources = opening.move();
  return { roles: [api], [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
