import { migrate } from '@sightline/postgres/migrate';
import { createTestDatabase, type TestDatabase } from './test-database.ts';
import type { TestConnection } from './test-server.ts';

const prepare = async (connection: TestConnection): Promise<void> => {
  await migrate(connection);
};

/** An empty database with the schema. */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase({ template: { name: 'migrated', prepare } });
  // Grants the rights on the database itself, which a copy of the template does not have.
  await migrate(database.connection);
  return database;
}
