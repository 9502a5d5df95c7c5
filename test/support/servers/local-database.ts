import { randomUUID } from 'node:crypto';
import { migrate } from '@sightline/postgres/migrate';
import { createMigratedDatabase } from './migrated-database.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { type TestConnection, testServerOnNetwork, withClient } from './test-server.ts';

const JOURNAL = 'applied_migrations';

/**
 * A database on the run's server that belongs to one test, with URLs and passwords for processes.
 */
export class LocalDatabase implements AsyncDisposable {
  /** The URL for the service. */
  readonly url: string;
  /** The URL for `sightline migrate`. */
  readonly ownerUrl: string;
  /** The password in both URLs. */
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

  static async migrated(): Promise<LocalDatabase> {
    const database = await createMigratedDatabase();
    const server = await testServerOnNetwork();
    // This call only sets the passwords of the roles, because the copy has the schema already. Over TCP the roles
    // need passwords, unlike over the run's socket.
    await migrate({ ...server, database: database.connection.database });
    return new LocalDatabase(database, server);
  }

  /** Creates a database without the schema, on a server that has the roles of the service. */
  static async empty(): Promise<LocalDatabase> {
    await (await LocalDatabase.migrated())[Symbol.asyncDispose]();
    return new LocalDatabase(await createTestDatabase(), await testServerOnNetwork());
  }

  get connection(): TestConnection {
    return this.#database.connection;
  }

  /** Makes the schema look as an older version of Sightline would have left it. */
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

  /** Gives the database the id of another installation. */
  async becomeAnother(): Promise<void> {
    await this.#run(
      `UPDATE installation SET id = '${randomUUID()}', media_kind = NULL, media_location = NULL`,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#database[Symbol.asyncDispose]();
  }

  async #run(sql: string): Promise<void> {
    await withClient(this.#database.connection, (client) => client.query(sql));
  }
}
