import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { EmbeddedPostgres } from '@sightline/embedded-postgres/embedded-postgres';
import { findServer } from '@sightline/embedded-postgres/find-server';
import { runMain } from '@sightline/platform/lifecycle/run-main';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { createLogger } from '@sightline/platform/logging/logger';
import { keptSecret } from './kept-secret.ts';

const LOOK_MS = 500;

/**
 * Runs a database server on a port of this machine:
 * `database-process.ts --folder FOLDER --port PORT --password-file FILE`.
 */
await runMain(async (signal) => {
  const { values } = parseArgs({
    options: {
      folder: { type: 'string' },
      port: { type: 'string' },
      'password-file': { type: 'string' },
    },
  });
  const { folder, port, 'password-file': file } = values;
  if (folder === undefined || port === undefined || file === undefined) {
    throw new StartError('Usage: database-process.ts --folder F --port P --password-file F');
  }
  const logger = createLogger({ level: 'info' });
  const network = { host: '127.0.0.1', port: Number(port), password: await keptSecret(file) };
  await using server = await EmbeddedPostgres.open({ folder, network, logger, signal });
  logger.info({ port: network.port, location: server.location }, 'the database listens');
  while ((await findServer(server.location)) !== undefined) {
    await delay(LOOK_MS, undefined, { signal });
  }
  throw new StartError('The database server has ended.');
});
