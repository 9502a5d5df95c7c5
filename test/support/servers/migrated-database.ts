import { migrate } from '@sightline/postgres/migrate';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import type { TestConnection } from './test-server.ts';

const prepare = async (connection: TestConnection): Promise<void> => {
  await migrate(connection);
};

/** An empty database with the schema. */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase({ template: { name: 'migrated', prepare } });
  // A copied database lacks only the rights on the database itself.
  await migrate(database.connection);
  return database;
}
