import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { PostgresProcess } from '@sightline/test/support/servers/postgres-process';
import { migrate } from './migrate.ts';

const LIMITS = { roleSuffix: '', connections: 1, statementTimeout: 30_000, lockTimeout: 30_000 };

test('waits for a server that starts later, up to the start timeout', async () => {
  await using postgres = await PostgresProcess.start();
  const { host, port, user, password, database } = postgres.connection;
  await postgres.kill();
  const url = (login: string, secret: string) =>
    `postgres://${login}:${encodeURIComponent(secret)}@${host}:${port}/${database}?sslmode=disable`;
  const own = url('sightline_app', 'of the service');
  const service = { url: () => [own], password: null, ...LIMITS };
  const printed: string[] = [];
  const run = (startTimeout: number) =>
    migrate.run({
      options: {},
      operands: [],
      data: '/nowhere',
      stores: () => ({ database: service, s3: null, qdrant: null }),
      databaseOwner: () => url(user, password!),
      secretKey: { secretKey: null, secretKeyFile: null },
      startTimeout,
      version: '0.0.0',
      print: (line) => void printed.push(line),
      note: () => undefined,
      signal: new AbortController().signal,
    });

  await expect(run(0)).rejects.toThrow(/^The database .* cannot be used: .*does not answer/);
  const asked = createServer((socket) => socket.destroy()).listen(port, host);
  await once(asked, 'listening');
  const done = run(60);
  await once(asked, 'connection');
  asked.close();
  await once(asked, 'close');
  await postgres.start();
  await done;
  expect(printed.at(-1)).toBe('The schema is up to date.');
});
