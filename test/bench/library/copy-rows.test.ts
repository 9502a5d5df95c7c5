import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { environmentSettings } from '@sightline/postgres/schema/settings';
import pg from 'pg';
import { createMigratedDatabase } from '../../support/servers/migrated-database.ts';
import { copyRows } from './copy-rows.ts';

const resources = new AsyncDisposableStack();
let client: pg.Client;

beforeAll(async () => {
  const { connection } = resources.use(await createMigratedDatabase());
  client = new pg.Client(connection);
  await client.connect();
  resources.defer(() => client.end());
  await client.query("INSERT INTO environments (name) VALUES ('ours')");
});

afterAll(async () => {
  await resources.disposeAsync();
});

const setting = (key: string) => ({
  environmentId: 1,
  key,
  value: 1,
  updatedAt: new Date('2026-01-02T03:04:05.678Z'),
});

async function keys(): Promise<readonly string[]> {
  const { rows } = await client.query<{ key: string }>(
    'SELECT key FROM environment_settings ORDER BY key COLLATE "C"',
  );
  return rows.map(({ key }) => key);
}

test('writes several batches of rows', async () => {
  const many = Array.from({ length: 20_000 }, (_, i) => setting(`key ${i}`));
  expect(await copyRows(client, environmentSettings, many)).toBe(20_000);
  const { rows } = await client.query<{ at: Date }>(
    'DELETE FROM environment_settings RETURNING updated_at AS at',
  );
  expect(rows).toHaveLength(20_000);
  expect(rows[0]!.at).toEqual(new Date('2026-01-02T03:04:05.678Z'));
});

test('writes nothing if there is nothing', async () => {
  expect(await copyRows(client, environmentSettings, [])).toBe(0);
  expect(await keys()).toEqual([]);
});

test('writes text as it is', async () => {
  const texts = ['tab\there', 'line\nbreak', 'back\\slash', '\\N', 'é👩', '\r'].toSorted();
  await copyRows(client, environmentSettings, texts.map(setting));
  expect([...(await keys())].toSorted()).toEqual(texts);
  await client.query('DELETE FROM environment_settings');
});

test('reports the refusal of a row', async () => {
  const rows = [setting('one'), setting('two'), setting('one')];
  await expect(copyRows(client, environmentSettings, rows)).rejects.toThrow('duplicate key');
  expect(await keys()).toEqual([]);
});
