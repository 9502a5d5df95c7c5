import { enableCodeCache } from '@sightline/platform/process/enable-code-cache';
import manifest from '../package.json' with { type: 'json' };

enableCodeCache();
const { configHelp } = await import('@sightline/platform/config/describe-config');
const { parseConfig } = await import('@sightline/platform/config/parse-config');
const { readEnvironment } = await import('@sightline/platform/config/read-environment');
const { runMain } = await import('@sightline/platform/lifecycle/run-main');
const { StartError } = await import('@sightline/platform/lifecycle/start-error');
const { createLogger, standardOutput } = await import('@sightline/platform/logging/logger');
const { createMetricsRegistry } = await import('@sightline/platform/metrics/metrics-registry');
const { createOperationsRole } = await import('@sightline/platform/operations/operations-role');
const { FETCH_GROUPS, runFetch } = await import('./fetch/run-fetch.ts');
const { pushPacks } = await import('./push-packs.ts');

const HELP = `Sightline ${manifest.version}: manages the model store, from which all processes load their models.

fetch           fetch and verify the model that SIGHTLINE_FETCH describes
push FOLDER...  copy local packs into the model store

Environment variables (and their defaults)

${configHelp(FETCH_GROUPS)}
`;

async function fetch(signal: AbortSignal): Promise<void> {
  const environment = readEnvironment();
  const { config } = parseConfig(environment, FETCH_GROUPS);
  const { opsHost, host, opsPort: port, logLevel: level } = config;
  const logger = createLogger({ level, destination: await standardOutput() });
  const registry = createMetricsRegistry();
  await using operations = createOperationsRole({
    host: opsHost ?? host,
    port,
    logger,
    registry,
    checks: [],
  });
  await operations.start(signal);
  await runFetch({ config, environment, logger, operations, signal });
}

await runMain(async (signal) => {
  const [command, ...words] = process.argv.slice(2);
  if (command === undefined || command === '--help' || command === '-h') {
    process.stdout.write(HELP);
  } else if (command === 'fetch' && words.length === 0) {
    await fetch(signal);
  } else if (command === 'push') {
    const { config } = parseConfig(readEnvironment(), ['media']);
    await pushPacks(words, { config, signal });
  } else {
    throw new StartError(
      `There is no command ${[command, ...words].join(' ')}; --help lists the commands.`,
    );
  }
});
