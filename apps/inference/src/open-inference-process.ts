import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { createHttpMetrics } from '@sightline/platform/metrics/http-metrics';
import type { OpenedProcess, Surroundings } from '@sightline/platform/process/run-process';
import { openWarmEngine } from './open-warm-engine.ts';
import { createInferenceRole } from './role.ts';

/** An inference process; its role finds and warms the models. */
export function openInferenceProcess(surroundings: Surroundings): Promise<OpenedProcess> {
  const { config, logger, registry } = surroundings;
  const { host, port } = config;
  const inference = createInferenceRole({
    ...{ host, port, logger, limits: DEFAULT_IMAGE_LIMITS },
    observer: createHttpMetrics(registry),
    openEngine: (signal) => openWarmEngine({ config, logger, registry }, signal),
  });
  return Promise.resolve({
    roles: [inference],
    // The role has let go of everything.
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
}
