import type { Logger } from '@sightline/platform/logging/logger';
import pg from 'pg';
import { clientConfig, type PostgresConnection } from '../postgres-connection.ts';
import { APP_ROLE, PLATFORM_ROLE } from '../schema/policies.ts';

export interface Pools extends AsyncDisposable {
  /** Of the scoped doors; sends statements without waiting for the answers to those before. */
  readonly app: pg.Pool;
  /** Of the platform door. */
  readonly platform: pg.Pool;
  /** One connection, to see whether the server answers; however busy the others are. */
  readonly watch: pg.Pool;
}

export interface PoolOptions {
  readonly logger: Logger;
  /** What the server's activity view shows, as in `sightline api`; `sightline` if absent. */
  readonly applicationName?: string;
  /** Most connections of the scoped doors (16); the platform door has four of its own. */
  readonly connections?: number;
  /** How long a statement may take, in ms (30,000). */
  readonly statementTimeout?: number;
  /** How long one may wait for a lock, in ms (10,000). */
  readonly lockTimeout?: number;
  /** How long a transaction may stand still, in ms (10,000). */
  readonly idleTimeout?: number;
  /** How long a transaction may take, in ms (60,000). */
  readonly transactionTimeout?: number;
}

const PLATFORM_CONNECTIONS = 4;
/** What a server that gives up may take to say so, in ms. */
const MARGIN = 5_000;
const WATCH_CONNECT_MS = 2_000;

const { INT8 } = pg.types.builtins;

/** Connections to a migrated database, made as they are needed. */
export function openPools(connection: PostgresConnection, options: PoolOptions): Pools {
  const app = openPool(connection, {
    ...{ ...options, role: APP_ROLE, max: options.connections ?? 16 },
    pipeline: true,
  });
  const platform = openPool(connection, {
    ...options,
    role: PLATFORM_ROLE,
    max: PLATFORM_CONNECTIONS,
  });
  const watch = openPool(connection, { ...options, role: APP_ROLE, max: 1 });
  watch.options.connectionTimeoutMillis = WATCH_CONNECT_MS;
  return {
    app,
    platform,
    watch,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([app.end(), platform.end(), watch.end()]);
    },
  };
}

function openPool(
  connection: PostgresConnection,
  options: PoolOptions & {
    readonly role: string;
    readonly max: number;
    readonly pipeline?: boolean;
  },
): pg.Pool {
  const { role, max, pipeline, logger, applicationName = 'sightline' } = options;
  const settings = sessionSettings(options);
  const pool = new pg.Pool({
    ...clientConfig(connection, { role, applicationName, settings }),
    max,
    pipeline,
    // The last resort where the server hangs and nobody watches it: its own limits do not run then.
    query_timeout: (options.statementTimeout ?? 30_000) + MARGIN,
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

/** No transaction may hold up the others: nor the vacuum, nor the readers of the outbox. */
function sessionSettings(options: PoolOptions): Readonly<Record<string, string>> {
  const {
    statementTimeout = 30_000,
    lockTimeout = 10_000,
    idleTimeout = 10_000,
    transactionTimeout = 60_000,
  } = options;
  return {
    statement_timeout: String(statementTimeout),
    lock_timeout: String(lockTimeout),
    idle_in_transaction_session_timeout: String(idleTimeout),
    transaction_timeout: String(transactionTimeout),
    // What is said of transactions holds for single statements too, whatever the server's default.
    default_transaction_isolation: 'read committed',
    // Who waits for a lock is let go of when the process that wanted it is gone.
    client_connection_check_interval: '5s',
    search_path: 'public',
    TimeZone: 'UTC',
  };
}
