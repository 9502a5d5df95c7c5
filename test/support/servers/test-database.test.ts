import { describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestTemplate } from './test-database.ts';
import { type TestConnection, withClient } from './test-server.ts';

async function tables(connection: TestConnection): Promise<string[]> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
    );
    return rows.map(({ name }) => name);
  });
}

test('a database is empty, and not that of another test', async () => {
  await using one = await createTestDatabase();
  await using other = await createTestDatabase();
  await withClient(one.connection, (client) => client.query('CREATE TABLE things ()'));
  expect(await tables(one.connection)).toEqual(['things']);
  expect(await tables(other.connection)).toEqual([]);
});

test('a database is gone after its test, though a client is connected', async () => {
  const database = await createTestDatabase();
  await withClient(database.connection, async (client) => {
    client.on('error', () => undefined);
    await database[Symbol.asyncDispose]();
  });
  await expect(tables(database.connection)).rejects.toThrow('does not exist');
});

describe('a template', () => {
  function template(name: string): TestTemplate & { times: number } {
    return {
      name,
      times: 0,
      async prepare(connection) {
        this.times++;
        await withClient(connection, (client) => client.query('CREATE TABLE prepared ()'));
      },
    };
  }

  test('is prepared once and copied', async () => {
    const given = template('copied');
    const databases = await Promise.all(
      Array.from({ length: 4 }, () => createTestDatabase({ template: given })),
    );
    expect(given.times).toBe(1);
    for (const database of databases) {
      await using each = database;
      expect(await tables(each.connection)).toEqual(['prepared']);
    }
  });

  test('that could not be prepared is prepared again', async () => {
    const broken = { name: 'broken', prepare: () => Promise.reject(new Error('not today')) };
    await expect(createTestDatabase({ template: broken })).rejects.toThrow('not today');
    await using database = await createTestDatabase({ template: template('broken') });
    expect(await tables(database.connection)).toEqual(['prepared']);
  });
});
