import { randomUUID } from 'node:crypto';
import { migrate } from '@sightline/postgres/migrate';
import { createMigratedDatabase } from './migrated-database.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { type TestConnection, testServerOnNetwork, withClient } from './test-server.ts';

const JOURNAL = 'applied_migrations';

/** A database of a test's own on the run's server, as processes reach it: by a URL, with a password. */
export class LocalDatabase implements AsyncDisposable {
  /** For the service. */
  readonly url: string;
  /** For `sightline migrate`. */
  readonly ownerUrl: string;
  /** Of both. */
  readonly password: string;
  readonly #database: TestDatabase;

  private constructor(database: TestDatabase, server: TestConnection) {
    const { host, port, user, password = '' } = server;
    const urlOf = (login: string) =>
      `postgres://${login}:${encodeURIComponent(password)}@${host}:${port}/${database.connection.database}?sslmode=disable`;
    this.#database = database;
    this.url = urlOf('sightline_app');
    this.ownerUrl = urlOf(user);
    this.password = password;
  }

  /** One with the schema in it. */
  static async migrated(): Promise<LocalDatabase> {
    const database = await createMigratedDatabase();
    const server = await testServerOnNetwork();
    // Over the socket of the run the roles need no password; as other processes come, they do.
    await migrate({ ...server, database: database.connection.database });
    return new LocalDatabase(database, server);
  }

  /** One without a schema, on a server that knows the roles of the service. */
  static async empty(): Promise<LocalDatabase> {
    await (await LocalDatabase.migrated())[Symbol.asyncDispose]();
    return new LocalDatabase(await createTestDatabase(), await testServerOnNetwork());
  }

  /** To it, as the owner. */
  get connection(): TestConnection {
    return this.#database.connection;
  }

  /** As an older version of Sightline would have left it. */
  async forgetLastMigration(): Promise<void> {
    await this.#run(
      `CREATE TABLE last_migration AS SELECT * FROM ${JOURNAL} ORDER BY name DESC LIMIT 1`,
    );
    await this.#run(`INSERT INTO ${JOURNAL} (name) VALUES ('0000')`);
    await this.#run(`DELETE FROM ${JOURNAL} WHERE name IN (SELECT name FROM last_migration)`);
  }

  async restoreLastMigration(): Promise<void> {
    await this.#run(`INSERT INTO ${JOURNAL} SELECT * FROM last_migration`);
    await this.#run('DROP TABLE last_migration');
    await this.#run(`DELETE FROM ${JOURNAL} WHERE name = '0000'`);
  }

  /** From now on it is not that of the installation that it was. */
  async becomeAnother(): Promise<void> {
    await this.#run(
      `UPDATE installation SET id = '${randomUUID()}', media_kind = NULL, media_place = NULL`,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#database[Symbol.asyncDispose]();
  }

  async #run(sql: string): Promise<void> {
    await withClient(this.#database.connection, (client) => client.query(sql));
  }
}
