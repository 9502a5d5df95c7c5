import pg from 'pg';
import type { PostgresConnection } from '../postgres-connection.ts';
import { logIn } from './log-in.ts';

/** A pool of a role's connections. A new connection tries another valid password if the server refuses the one in use. */
export class RolePool extends pg.Pool {
  readonly #connection: Pick<PostgresConnection, 'rolePassword'>;

  constructor(connection: Pick<PostgresConnection, 'rolePassword'>, config: pg.PoolConfig) {
    super(config);
    this.#connection = connection;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Parameters<pg.Pool['connect']>[0]): void;
  override connect(callback?: Parameters<pg.Pool['connect']>[0]): Promise<pg.PoolClient> | void {
    if (callback === undefined) return logIn(this.#connection, () => super.connect());
    super.connect(callback);
  }
}
