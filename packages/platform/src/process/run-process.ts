import { configHelp } from '../config/describe-config.ts';
import { type Config, parseConfig } from '../config/parse-config.ts';
import { readEnvironment } from '../config/read-environment.ts';
import type { Role } from '../lifecycle/role.ts';
import { runMain } from '../lifecycle/run-main.ts';
import { runRoles } from '../lifecycle/run-roles.ts';
import { createLogger, type Logger, standardOutput } from '../logging/logger.ts';
import { createMetricsRegistry, type MetricsRegistry } from '../metrics/metrics-registry.ts';
import { createOperationsRole, type OperationsRole } from '../operations/operations-role.ts';

/** What every process of Sightline has before it opens anything. */
export interface Surroundings {
  readonly config: Config;
  readonly logger: Logger;
  readonly registry: MetricsRegistry;
  /** Of the product. */
  readonly version: string;
  /** Where the operations listener is, which nobody is to fetch from. */
  readonly operations: Pick<OperationsRole, 'endpoint'>;
  /** Ends a start that takes long. */
  readonly signal: AbortSignal;
}

/** The roles of a process and what they share; disposed of after the roles have stopped. */
export interface OpenedProcess extends AsyncDisposable {
  /** In the order in which they start. */
  readonly roles: readonly Role[];
}

export interface ProcessPlan {
  /** For `--help`: `an API process`. */
  readonly about: string;
  /** Of the product. */
  readonly version: string;
  /** The name of the role that is ready when the process is. */
  readonly readiness: string;
  /** What has to be set before anything runs. */
  readonly prepare?: (config: Config) => void;
  /** @throws StartError where the person who started the process can help */
  readonly open: (surroundings: Surroundings) => Promise<OpenedProcess>;
  /** Makes a StartError of what ends a start, where it is one; else answers it as it is. */
  readonly explain?: (error: unknown) => unknown;
}

/**
 * Runs a process of Sightline, or prints its help. The operations listener is the first to come and
 * the last to go: a process that waits for its stores is alive and not ready, and so is one that
 * finishes what it has taken.
 */
export async function runProcess(plan: ProcessPlan): Promise<void> {
  if (process.argv.includes('--help')) {
    process.stdout.write(
      `Sightline ${plan.version}: ${plan.about}.\n\nEnvironment variables (and their defaults):\n${configHelp()}\n`,
    );
    return;
  }
  await runMain(async (signal) => {
    try {
      await run(plan, signal);
    } catch (error) {
      throw plan.explain?.(error) ?? error;
    }
  });
}

async function run({ prepare, open, version, readiness }: ProcessPlan, signal: AbortSignal) {
  const { config, warnings } = parseConfig(readEnvironment());
  prepare?.(config);
  const logger = createLogger({ level: config.logLevel, destination: await standardOutput() });
  for (const warning of warnings) logger.warn(warning);
  const registry = createMetricsRegistry();
  const main = { role: undefined as Role | undefined };
  const ready = async () => main.role !== undefined && (await main.role.ready());
  const operations = createOperationsRole({
    ...{ host: config.host, port: config.opsPort, logger, registry },
    checks: [{ name: readiness, ready }],
  });
  await using held = new AsyncDisposableStack();
  held.use(operations);
  await operations.start(signal);
  const opened = held.use(await open({ config, logger, registry, version, operations, signal }));
  main.role = opened.roles.find(({ name }) => name === readiness);
  await runRoles(opened.roles, signal);
}
