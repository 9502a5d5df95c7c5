import type { ImageLimits } from '@sightline/core/sources/image-limits';
import type { Engine } from '@sightline/engine/engine';
import { createInferenceRole, type InferenceRole } from '@sightline/inference/role';
import { createLogger } from '@sightline/platform/logging/logger';
import { createHttpMetrics } from '@sightline/platform/metrics/http-metrics';
import { createMetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import type { AnalyzerSetup } from './analyzer-setup.ts';
import { limitsOf, openSharedEngine } from './open-shared-engine.ts';

export interface InferenceServer extends AsyncDisposable {
  readonly role: InferenceRole;
  readonly engine: Engine;
  readonly url: URL;
}

interface ServedPlace {
  readonly host?: string;
  readonly port?: number;
  /**
   * The wire versions that the server speaks. Other versions make it stand in for another release.
   */
  readonly spoken?: readonly number[];
}

/** Starts the role of apps/inference in this process, over an engine with the shared packs. */
export async function openInferenceServer(
  setup: AnalyzerSetup,
  place?: ServedPlace,
): Promise<InferenceServer> {
  return serveEngine(await openSharedEngine(setup), limitsOf(setup), place);
}

/**
 * Serves the engine by the role of apps/inference in this process. The role closes the engine when
 * it stops.
 */
export async function serveEngine(
  engine: Engine,
  limits: ImageLimits,
  { host = '127.0.0.1', port = 0, spoken }: ServedPlace = {},
): Promise<InferenceServer> {
  const role = createInferenceRole({
    host,
    port,
    spoken,
    keys: null,
    limits,
    bodyMemory: 1024 ** 3,
    openEngine: () => Promise.resolve(engine),
    logger: createLogger({ level: 'silent' }),
    observer: createHttpMetrics(createMetricsRegistry()),
  });
  await role.start(new AbortController().signal);
  const dispose = () => role[Symbol.asyncDispose]();
  return { role, engine, url: new URL(role.localUrl!), [Symbol.asyncDispose]: dispose };
}
