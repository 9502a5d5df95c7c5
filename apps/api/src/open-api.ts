import { BATCH_PER_ADDRESS } from '@sightline/composition/open-inference';
import { openOutside } from '@sightline/composition/open-outside';
import { KeyAuthenticator } from '@sightline/core/accounts/authenticate-key';
import { TailCache } from '@sightline/core/matching/tail-cache';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import type { Config } from '@sightline/platform/config/parse-config';
import type { Role } from '@sightline/platform/lifecycle/role';
import type { Logger } from '@sightline/platform/logging/logger';
import { createDependencyMetrics } from '@sightline/platform/metrics/dependency-metrics';
import { createHttpMetrics } from '@sightline/platform/metrics/http-metrics';
import { createMetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { createOperationsRole } from '@sightline/platform/operations/operations-role';
import { GuardedFetch } from '@sightline/platform/outgoing/guarded-fetch';
import { createApiRole } from './role.ts';

export interface ApiProcessDeps {
  readonly config: Config;
  readonly logger: Logger;
  /** Of the product. */
  readonly version: string;
  /** Ends a start that takes long. */
  readonly signal: AbortSignal;
}

/** The roles of an API process; disposed of after they have stopped. */
export interface ApiProcess extends AsyncDisposable {
  readonly roles: readonly Role[];
}

/** What an API process tells is looked for by whoever keeps the index, within a moment. */
const NOBODY_TO_NUDGE = { nudge: () => undefined };

/** @throws StartError if a store or inference is not named, does not come, or cannot be used */
export async function openApi({ config, ...deps }: ApiProcessDeps): Promise<ApiProcess> {
  const { logger, version } = deps;
  await using opening = new AsyncDisposableStack();
  const registry = createMetricsRegistry();
  const process = { name: 'An API process', applicationName: 'sightline api' };
  const observer = createDependencyMetrics(registry);
  const outside = opening.use(await openOutside(process, { ...deps, config, observer }));
  const { stores, inference, models, endpoints } = outside;
  const outgoing = opening.use(
    new GuardedFetch({
      ownEndpoints: () =>
        [api.address, operations.endpoint, ...endpoints].filter((own) => own !== null),
    }),
  );
  const { host, port, opsPort } = config;
  const api = createApiRole({
    ...{ ...stores, models, host, port, outgoing, version, logger },
    analyzer: inference.analyzer,
    indexer: NOBODY_TO_NUDGE,
    keys: new KeyAuthenticator(stores.keys),
    modelStore: stores.models,
    tails: new TailCache(),
    observer: createHttpMetrics(registry),
    gpuAvailable: () => inference.hasGpu === true,
    imageLimits: DEFAULT_IMAGE_LIMITS,
    batchConcurrency: BATCH_PER_ADDRESS * inference.addresses,
  });
  const operations = createOperationsRole({
    ...{ host, port: opsPort, logger, registry },
    checks: [api],
  });
  const resources = opening.move();
  return { roles: [operations, api], [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
