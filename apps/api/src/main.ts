import { configHelp } from '@sightline/platform/config/describe-config';
import { parseConfig } from '@sightline/platform/config/parse-config';
import { readEnvironment } from '@sightline/platform/config/read-environment';
import { runMain } from '@sightline/platform/lifecycle/run-main';
import { runRoles } from '@sightline/platform/lifecycle/run-roles';
import { createLogger } from '@sightline/platform/logging/logger';
import manifest from '../package.json' with { type: 'json' };
import { openApi } from './open-api.ts';

if (process.argv.includes('--help')) {
  process.stdout.write(
    `Sightline ${manifest.version}: an API process.\n\nEnvironment variables (and their defaults):\n${configHelp()}\n`,
  );
} else {
  await runMain(async (stop) => {
    const { config, warnings } = parseConfig(readEnvironment());
    const logger = createLogger({ level: config.logLevel });
    for (const warning of warnings) logger.warn(warning);
    const { version } = manifest;
    await using api = await openApi({ config, logger, version, signal: stop });
    await runRoles(api.roles, stop);
  });
}
