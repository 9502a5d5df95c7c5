import { availableParallelism } from 'node:os';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { configHelp } from '@sightline/platform/config/describe-config';
import { parseConfig } from '@sightline/platform/config/parse-config';
import { readEnvironment } from '@sightline/platform/config/read-environment';
import { sizeThreadPool } from '@sightline/platform/config/size-thread-pool';
import { runMain } from '@sightline/platform/lifecycle/run-main';
import { runRoles } from '@sightline/platform/lifecycle/run-roles';
import { createLogger } from '@sightline/platform/logging/logger';
import { createHttpMetrics } from '@sightline/platform/metrics/http-metrics';
import { createMetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { createOperationsRole } from '@sightline/platform/operations/operations-role';
import { openWarmEngine } from './open-warm-engine.ts';
import { createInferenceRole } from './role.ts';

if (process.argv.includes('--help')) {
  process.stdout.write(`Sightline's inference.\n\nEnvironment variables:\n${configHelp()}\n`);
} else {
  await runMain(async (stop) => {
    const { config, warnings } = parseConfig(readEnvironment());
    sizeThreadPool(config.workers ?? availableParallelism());
    const logger = createLogger({ level: config.logLevel });
    for (const warning of warnings) logger.warn(warning);
    const registry = createMetricsRegistry();
    const { host, port, opsPort } = config;
    const inference = createInferenceRole({
      ...{ host, port, logger, limits: DEFAULT_IMAGE_LIMITS },
      observer: createHttpMetrics(registry),
      openEngine: (signal) => openWarmEngine({ config, logger, registry }, signal),
    });
    const checks = [inference];
    const operations = createOperationsRole({ host, port: opsPort, logger, registry, checks });
    await runRoles([operations, inference], stop);
  });
}
