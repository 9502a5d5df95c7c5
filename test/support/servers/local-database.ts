import { randomUUID } from 'node:crypto';
import { createMigratedDatabase } from './migrated-database.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import { testServerOnNetwork, withClient } from './test-server.ts';

const JOURNAL = 'drizzle.__drizzle_migrations';

/** A database of a test's own on the run's server, as processes reach it: by a URL, with a password. */
export class LocalDatabase implements AsyncDisposable {
  readonly url: string;
  readonly password: string;
  readonly #database: TestDatabase;

  private constructor(database: TestDatabase, url: string, password: string) {
    this.#database = database;
    this.url = url;
    this.password = password;
  }

  /** One with the schema in it. */
  static migrated(): Promise<LocalDatabase> {
    return LocalDatabase.#over(createMigratedDatabase());
  }

  static empty(): Promise<LocalDatabase> {
    return LocalDatabase.#over(createTestDatabase());
  }

  static async #over(creation: Promise<TestDatabase>): Promise<LocalDatabase> {
    const database = await creation;
    const { host, port, user, password = '' } = await testServerOnNetwork();
    const name = database.connection.database;
    const url = `postgres://${user}:${encodeURIComponent(password)}@${host}:${port}/${name}`;
    return new LocalDatabase(database, url, password);
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
    await this.#database[Symbol.asyncDispose]();
  }

  async #run(sql: string): Promise<void> {
    await withClient(this.#database.connection, (client) => client.query(sql));
  }
}
