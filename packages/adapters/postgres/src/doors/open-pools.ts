import type { Logger } from '@sightline/platform/logging/logger';
import pg from 'pg';
import { clientConfig, type PostgresConnection } from '../postgres-connection.ts';
import { endingOf } from './end-pool.ts';
import { APP_ROLE, PLATFORM_ROLE } from '../schema/policies.ts';

export interface Pools extends AsyncDisposable {
  /** The pool of the scoped doors, which pipelines statements. */
  readonly app: pg.Pool;
  /** The pool of the platform doors. */
  readonly platform: pg.Pool;
  /** A pool of one connection for pings, so that they do not wait for the other pools. */
  readonly watch: pg.Pool;
}

export interface PoolOptions {
  readonly logger: Logger;
  /** The name in the server's activity view, such as `sightline api`; default: `sightline`. */
  readonly applicationName?: string;
  /** The maximum number of connections of the scoped doors (16); the platform doors have four of their own. */
  readonly connections?: number;
  /** Time limit of a statement, in ms (30,000). */
  readonly statementTimeout?: number;
  /** Time limit of waiting for a lock, in ms (10,000). */
  readonly lockTimeout?: number;
  /** Time limit of a transaction between two statements, in ms (10,000). */
  readonly idleTimeout?: number;
  /** Time limit of a transaction, in ms (60,000). */
  readonly transactionTimeout?: number;
}

const PLATFORM_CONNECTIONS = 4;
/** The extra time in ms for the server to report that it ended a statement at its time limit. */
const MARGIN = 5_000;
const WATCH_CONNECT_MS = 2_000;

const { INT8 } = pg.types.builtins;

/** Connections to a migrated database, opened on demand. */
export function openPools(connection: PostgresConnection, options: PoolOptions): Pools {
  const app = openPool(connection, {
    ...options,
    role: APP_ROLE,
    max: options.connections ?? 16,
    pipeline: true,
  });
  const platform = openPool(connection, {
    ...options,
    role: PLATFORM_ROLE,
    max: PLATFORM_CONNECTIONS,
  });
  const watch = openPool(connection, { ...options, role: APP_ROLE, max: 1 });
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
  const pool = new pg.Pool({
    ...clientConfig(connection, { role, applicationName, settings }),
    max,
    pipeline,
    // The last resort against a hung server, which does not enforce its own limits, if no guard notices.
    query_timeout: (options.statementTimeout ?? 30_000) + MARGIN,
    types: {
      getTypeParser: (id, format) =>
        id === INT8 ? Number : (pg.types.getTypeParser(id, format) as (text: string) => unknown),
    },
  });
  // The server closed a connection: its transaction fails, and the pool opens another one. Without
  // listeners the error would end the process.
  pool.on('error', (error) => logger.warn({ error: error.message }, 'a connection was lost'));
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** The limits that keep a transaction from delaying others, the vacuum or the readers of the outbox. */
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
    // This also applies to single statements, and overrides the server's default.
    default_transaction_isolation: 'read committed',
    // A session that waits for a lock ends when its client disconnects.
    client_connection_check_interval: '5s',
    search_path: 'public',
    TimeZone: 'UTC',
  };
}
