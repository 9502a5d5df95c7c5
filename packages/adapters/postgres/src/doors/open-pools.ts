import type { Logger } from '@sightline/platform/logging/logger';
import pg from 'pg';
import { clientConfig, type PostgresConnection } from '../postgres-connection.ts';
import { endingOf } from './end-pool.ts';
import { RolePool } from './role-pool.ts';
import { rolesOf } from '../service-roles.ts';

export interface Pools extends AsyncDisposable {
  /** The pool for scoped transactions. Its connections pipeline statements. */
  readonly app: pg.Pool;
  readonly platform: pg.Pool;
  /** A pool of one connection for pings, so that pings do not wait for a free connection. */
  readonly watch: pg.Pool;
}

export interface PoolOptions {
  readonly logger: Logger;
  /** The name in the server's activity view, such as `sightline api`. The default is `sightline`. */
  readonly applicationName?: string;
  /** The maximum number of scoped connections. The default is 16. The platform pool has four more. */
  readonly connections?: number;
  /** The time limit of a statement, in ms. The default is 30,000. */
  readonly statementTimeout?: number;
  /** The time limit for waiting for a lock, in ms. The default is 10,000. */
  readonly lockTimeout?: number;
  /** The time limit between two statements of a transaction, in ms. The default is 10,000. */
  readonly idleTimeout?: number;
  /** The time limit of a transaction, in ms. The default is {@link TRANSACTION_TIMEOUT_MS}. */
  readonly transactionTimeout?: number;
}

const PLATFORM_CONNECTIONS = 4;
/** The default time limit of a transaction, in ms. */
export const TRANSACTION_TIMEOUT_MS = 60_000;
/** The client waits this much longer than the server's time limit, in ms, so that the server can report the timeout. */
export const MARGIN_MS = 5_000;
const WATCH_CONNECT_MS = 2_000;

const { INT8 } = pg.types.builtins;

/** Opens the pools for a migrated database. Pools connect at their first use. */
export function openPools(connection: PostgresConnection, options: PoolOptions): Pools {
  const roles = rolesOf(connection);
  const app = openPool(connection, {
    ...options,
    role: roles.app,
    max: options.connections ?? 16,
    pipeline: true,
  });
  const platform = openPool(connection, {
    ...options,
    role: roles.platform,
    max: PLATFORM_CONNECTIONS,
  });
  const watch = openPool(connection, { ...options, role: roles.app, max: 1 });
  watch.options.connectionTimeoutMillis = WATCH_CONNECT_MS;
  const endings = [app, platform, watch].map(endingOf);
  return {
    app,
    platform,
    watch,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(endings.map((end) => end()));
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
  const pool = new RolePool(connection, {
    ...clientConfig(connection, { role, applicationName, settings }),
    max,
    pipeline,
    // The last time limit, for the case that the server hangs (and so does not enforce its own limits) and the circuit
    // breaker does not notice.
    query_timeout: (options.statementTimeout ?? 30_000) + MARGIN_MS,
    types: {
      getTypeParser: (id, format) =>
        id === INT8 ? Number : (pg.types.getTypeParser(id, format) as (text: string) => unknown),
    },
  });
  // A closed connection fails its transaction, and the pool opens another connection. Without these listeners the error
  // would end the process.
  pool.on('error', (error) =>
    logger.warn({ error: error.message }, 'a connection to the database was lost'),
  );
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Time limits that keep a transaction from delaying other transactions, the vacuum or readers of the outbox. */
function sessionSettings(options: PoolOptions): Readonly<Record<string, string>> {
  const {
    statementTimeout = 30_000,
    lockTimeout = 10_000,
    idleTimeout = 10_000,
    transactionTimeout = TRANSACTION_TIMEOUT_MS,
  } = options;
  return {
    statement_timeout: String(statementTimeout),
    lock_timeout: String(lockTimeout),
    idle_in_transaction_session_timeout: String(idleTimeout),
    transaction_timeout: String(transactionTimeout),
    // This setting also covers single statements, and overrides the server's default.
    default_transaction_isolation: 'read committed',
    // With this setting, a session that waits for a lock ends when its client disconnects.
    client_connection_check_interval: '5s',
    search_path: 'public',
    TimeZone: 'UTC',
  };
}
