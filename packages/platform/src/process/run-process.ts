import { configHelp } from '../config/describe-config.ts';
import { parseConfig } from '../config/parse-config.ts';
import { readEnvironment } from '../config/read-environment.ts';
import type { Config, GroupName } from '../config/variable-groups.ts';
import type { Role } from '../lifecycle/role.ts';
import { limitStop } from '../lifecycle/limit-stop.ts';
import { fail, runMain } from '../lifecycle/run-main.ts';
import { runRoles } from '../lifecycle/run-roles.ts';
import { StartError } from '../lifecycle/start-error.ts';
import { createLogger, type Logger, standardOutput } from '../logging/logger.ts';
import { createMetricsRegistry, type MetricsRegistry } from '../metrics/metrics-registry.ts';
import { createOperationsRole, type OperationsRole } from '../operations/operations-role.ts';

/**
 * The values that every process gets when it opens its roles. `config` contains the variables of the plan's groups.
 */
export interface ProcessContext<Group extends GroupName = never> {
  readonly config: Config<'process' | Group>;
  readonly logger: Logger;
  readonly registry: MetricsRegistry;
  readonly version: string;
  /** The operations listener. A process may add reports, and must not fetch images from its `endpoint`. */
  readonly operations: Pick<OperationsRole, 'endpoint' | 'serve'>;
  /** Aborts when the process has to stop. */
  readonly signal: AbortSignal;
}

/** The roles of a process. Disposal releases the resources that the roles share, after the roles have stopped. */
export interface OpenedProcess extends AsyncDisposable {
  readonly roles: readonly Role[];
}

export interface ProcessPlan<Group extends GroupName> {
  /** The kind of process for `--help`, such as `an API process`. */
  readonly about: string;
  readonly version: string;
  /** The groups of variables that the process reads, in addition to the group `process`. */
  readonly variables: readonly Group[];
  /** The name of the role whose readiness is the readiness of the process. */
  readonly readiness: string;
  /** How long a stop may take after the drain, in ms. Default: 20 seconds. */
  readonly stopMs?: number;
  /** Called first, before the process uses files or threads. */
  readonly prepare?: (config: Config<Group>) => void;
  /** Opens the roles. @throws StartError if the person who started the process can fix the cause */
  readonly open: (context: ProcessContext<Group>) => Promise<OpenedProcess>;
  /**
   * Converts errors that the person who started the process can fix to StartErrors. Returns other errors unchanged.
   */
  readonly explain?: (error: unknown) => unknown;
}

/**
 * The default stop timeout. Together with the default drain of 5 seconds, it is shorter than the 30 seconds that
 * Kubernetes waits.
 */
const STOP_MS = 20_000;

/**
 * Runs a process of Sightline, or prints its help. The operations listener starts first and stops last, so that a
 * process reports that it is alive but not ready while it waits for its stores and while it stops.
 */
export async function runProcess<const Group extends GroupName>(
  plan: ProcessPlan<Group>,
): Promise<void> {
  const words = process.argv.slice(2);
  if (words.includes('--help') || words.includes('-h')) {
    const variables = configHelp(groupsOf(plan.variables));
    process.stdout.write(
      `Sightline ${plan.version}: ${plan.about}.\n\nEnvironment variables (and their defaults)\n\n${variables}\n`,
    );
    return;
  }
  await runMain(async (signal) => {
    try {
      refuseArguments(words);
      await run(plan, signal);
    } catch (error) {
      throw plan.explain?.(error) ?? error;
    }
  });
}

/** Refuses arguments, because a setting that is passed as an argument would silently have no effect. */
function refuseArguments([word]: readonly string[]): void {
  if (word === undefined) return;
  throw new StartError(
    `This process accepts no arguments, but got ${JSON.stringify(word)}: its settings are environment variables, which --help lists.`,
  );
}

function groupsOf(variables: readonly GroupName[]): readonly GroupName[] {
  return [...new Set<GroupName>(['process', ...variables])];
}

async function run<Group extends GroupName>(
  { prepare, open, version, readiness, variables, stopMs = STOP_MS }: ProcessPlan<Group>,
  signal: AbortSignal,
): Promise<void> {
  const { config, warnings } = parseConfig<GroupName>(readEnvironment(), groupsOf(variables));
  prepare?.(config);
  limitStop(signal, drainMs(config) + stopMs, () => fail(new StartError(STOP_HANGS)));
  const { opsPort: port, logLevel: level } = config;
  const logger = createLogger({ level, destination: await standardOutput() });
  for (const warning of warnings) logger.warn(warning);
  noteStop(signal, logger);
  const registry = createMetricsRegistry();
  const main = { role: undefined as Role | undefined };
  const ready = async () => !signal.aborted && main.role !== undefined && (await main.role.ready());
  const checks = [{ name: readiness, ready }];
  const host = config.opsHost ?? config.host;
  const operations = createOperationsRole({ host, port, logger, registry, checks });
  await using held = new AsyncDisposableStack();
  held.use(operations);
  await operations.start(signal);
  const opened = held.use(await open({ config, logger, registry, version, operations, signal }));
  main.role = opened.roles.find(({ name }) => name === readiness);
  await runRoles(opened.roles, signal);
}

/** Logs that the process stops, and why. */
function noteStop(stop: AbortSignal, logger: Logger): void {
  const note = (): void => logger.info({ reason: (stop.reason as Error).message }, 'stopping');
  if (stop.aborted) note();
  else stop.addEventListener('abort', note, { once: true });
}

const STOP_HANGS =
  'The process did not stop in time, probably because it waits for a service that does not respond, such as the database. It ends now; all acknowledged data is stored.';

/**
 * The duration of the drain in ms, in which a stopping process still serves requests. A process that serves no
 * requests has no variable `drainSeconds` and needs no drain.
 */
function drainMs(config: Partial<Config<'server'>>): number {
  return (config.drainSeconds ?? 0) * 1_000;
}
