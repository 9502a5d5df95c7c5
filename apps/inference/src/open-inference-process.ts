import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { readOwnInferenceKey } from '@sightline/platform/config/read-inference-settings';
import { createConnectionMetrics } from '@sightline/platform/metrics/connection-metrics';
import { createHttpMetrics } from '@sightline/platform/metrics/http-metrics';
import type { OpenedProcess, ProcessContext } from '@sightline/platform/process/run-process';
import { AcceptedKeys } from './accepted-keys.ts';
import { openerOf } from './open-inference-engine.ts';
import { openStoreOfPacks } from './open-store-of-packs.ts';
import { createInferenceRole } from './role.ts';

/** @throws StartError if settings are incomplete */
export async function openInferenceProcess({
  config,
  logger,
  registry,
  operations,
}: ProcessContext<
  'server' | 'models' | 'serving' | 'media' | 'inferenceKey'
>): Promise<OpenedProcess> {
  const store = await openStoreOfPacks(config, logger);
  const readKeys = readOwnInferenceKey(config);
  const keys = readKeys === null ? null : new AcceptedKeys(readKeys);
  const { host, port, maxConnections, drainSeconds, bodyMemory } = config;
  const inference = createInferenceRole({
    host,
    port,
    maxConnections,
    drainMs: drainSeconds * 1_000,
    logger,
    limits: DEFAULT_IMAGE_LIMITS,
    bodyMemory,
    keys,
    observer: createHttpMetrics(registry),
    connections: createConnectionMetrics(registry),
    ...openerOf({ config, logger, registry, operations, store, keys }),
  });
  return {
    roles: [inference],
    // Only the store is left to close here, because the role has disposed of all other resources.
    [Symbol.asyncDispose]() {
      store?.[Symbol.dispose]();
      return Promise.resolve();
    },
  };
}
