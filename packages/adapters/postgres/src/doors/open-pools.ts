import type { Logger } from '@sightline/platform/logging/logger';
import pg from 'pg';
import { clientConfig, type PostgresConnection } from '../postgres-connection.ts';
import { APP_ROLE, PLATFORM_ROLE } from '../schema/policies.ts';

export interface Pools extends AsyncDisposable {
  /** Of the scoped doors. */
  readonly app: pg.Pool;
  /** Of the platform door. */
  readonly platform: pg.Pool;
}

const APP_CONNECTIONS = 16;
const PLATFORM_CONNECTIONS = 4;

/** No transaction may hold up the others: nor the vacuum, nor the readers of the outbox. */
const SETTINGS = {
  statement_timeout: '30s',
  idle_in_transaction_session_timeout: '10s',
  transaction_timeout: '60s',
  search_path: 'public',
  TimeZone: 'UTC',
};

const { INT8 } = pg.types.builtins;

/** Connections to a migrated database, made as they are needed. */
export function openPools(connection: PostgresConnection, logger: Logger): Pools {
  const app = openPool(connection, { role: APP_ROLE, connections: APP_CONNECTIONS, logger });
  const platform = openPool(connection, {
    role: PLATFORM_ROLE,
    connections: PLATFORM_CONNECTIONS,
    logger,
  });
  return {
    app,
    platform,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([app.end(), platform.end()]);
    },
  };
}

function openPool(
  connection: PostgresConnection,
  options: { readonly role: string; readonly connections: number; readonly logger: Logger },
): pg.Pool {
  const { role, connections, logger } = options;
  const pool = new pg.Pool({
    ...clientConfig(connection, { role, applicationName: 'sightline', settings: SETTINGS }),
    max: connections,
    types: {
      getTypeParser: (id, format) =>
        id === INT8 ? Number : (pg.types.getTypeParser(id, format) as (text: string) => unknown),
    },
  });
  // A connection that the server ends, in use or not: its transaction fails, and the pool makes
  // another one. Without a listener it would end the process.
  pool.on('error', (error) => logger.warn({ error: error.message }, 'a connection was lost'));
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
