import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { freePort } from '@sightline/dev-platform/free-port';
import { EmbeddedPostgres } from '@sightline/embedded-postgres/embedded-postgres';
import { temporaryData } from '../fixtures/temporary-data.ts';
import { withClient } from './test-server.ts';

const JOURNAL = 'drizzle.__drizzle_migrations';

/** A database of a test's own, at a port, with a password. */
export class LocalDatabase implements AsyncDisposable {
  readonly password = randomBytes(12).toString('hex');
  readonly #resources = new AsyncDisposableStack();
  #server!: EmbeddedPostgres;
  #port = 0;

  static async start(): Promise<LocalDatabase> {
    const database = new LocalDatabase();
    const { path } = database.#resources.use(await temporaryData());
    database.#port = await freePort();
    const network = { host: '127.0.0.1', port: database.#port, password: database.password };
    const folder = join(path, 'postgres');
    database.#server = database.#resources.use(await EmbeddedPostgres.open({ folder, network }));
    return database;
  }

  get url(): string {
    const { user, database } = this.#server.connection;
    return `postgres://${user}:${this.password}@127.0.0.1:${this.#port}/${database}`;
  }

  /** As an older version of Sightline would have left it. */
  async forgetLastMigration(): Promise<void> {
    await this.#run(
      `CREATE TABLE last_migration AS SELECT * FROM ${JOURNAL} ORDER BY created_at DESC LIMIT 1`,
    );
    await this.#run(`DELETE FROM ${JOURNAL} WHERE id IN (SELECT id FROM last_migration)`);
  }

  async restoreLastMigration(): Promise<void> {
    await this.#run(`INSERT INTO ${JOURNAL} SELECT * FROM last_migration`);
    await this.#run('DROP TABLE last_migration');
  }

  /** From now on it is not that of the installation that it was. */
  async becomeAnother(): Promise<void> {
    await this.#run(
      `UPDATE installation SET id = '${randomUUID()}', media_kind = NULL, media_place = NULL`,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }

  async #run(sql: string): Promise<void> {
    await withClient(this.#server.connection, (client) => client.query(sql));
  }
}
