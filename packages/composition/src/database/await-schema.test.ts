import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { migrate } from '@sightline/postgres/migrate';
import { LocalDatabase } from '@sightline/test/support/servers/local-database';
import { withClient } from '@sightline/test/support/servers/test-server';
import { awaitSchema } from './await-schema.ts';

let database: LocalDatabase;
beforeAll(async () => {
  database = await LocalDatabase.empty();
});
afterAll(() => database[Symbol.asyncDispose]());

const NEVER = new AbortController().signal;
const LIMITS = { roleSuffix: '', connections: 1, statementTimeout: 30_000, lockTimeout: 30_000 };

const settingsOf = (url: string) => ({ url: () => [url], password: null, ...LIMITS });

test('waits for a migration, and reports that once', async () => {
  const said: string[] = [];
  const migrations: Promise<unknown>[] = [];
  const waiting = (why: string) => {
    said.push(why);
    if (said.length === 1) migrations.push(migrate(database.connection));
  };
  await awaitSchema(settingsOf(database.url), { signal: NEVER, waiting });
  expect(said).toEqual([
    expect.stringMatching(/^Waiting: The database has no schema of Sightline yet/),
  ]);
  await Promise.all(migrations);
});

test('waits for a server, and for the role that a migration creates, until an abort', async () => {
  const noServer = database.url.replace(/@[^/]+/, '@127.0.0.1:9');
  const wrongPassword = database.url.replace(/:[^:@]+@/, ':wrong@');
  for (const [url, reason] of [
    [noServer, /^Waiting: .* does not answer/],
    [wrongPassword, /^Waiting: .* refuses the password of sightline_platform.*`sightline migrate`/],
  ] as const) {
    const stop = new AbortController();
    const said: string[] = [];
    const waiting = (why: string) => {
      said.push(why);
      stop.abort(new Error('stopped'));
    };
    await expect(awaitSchema(settingsOf(url), { signal: stop.signal, waiting })).rejects.toThrow();
    expect(said).toEqual([expect.stringMatching(reason)]);
  }
});

test('does not wait if a migration cannot help', async () => {
  await withClient(database.connection, (client) =>
    client.query(`INSERT INTO applied_migrations (name) VALUES ('9999_of-a-newer-release')`),
  );
  const nothing = { signal: NEVER, waiting: () => undefined };
  await awaitSchema(settingsOf(database.url), nothing);
  await withClient(database.connection, (client) =>
    client.query(`UPDATE installation SET least_release = '99.0.0'`),
  );
  await expect(awaitSchema(settingsOf(database.url), nothing)).rejects.toThrow(
    /newer release of Sightline, and works with 99\.0\.0/,
  );
});
