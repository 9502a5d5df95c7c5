import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { createLogger } from '@sightline/platform/logging/logger';
import type pg from 'pg';
import { PostgresProcess } from '@sightline/test/support/servers/postgres-process';
import {
  describeWithCertificates,
  makeCertificate,
} from '@sightline/test/support/servers/test-certificate';
import { withClient } from '@sightline/test/support/servers/test-server';
import { migrate } from './migrate.ts';
import { openPostgres } from './open-postgres.ts';
import { parseDatabaseUrl } from './parse-database-url.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { requireSchema } from './require-schema.ts';
import { SchemaMismatch } from './schema-mismatch.ts';
import { knownMigrations } from './schema-version.ts';

let server: PostgresProcess;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sightline-tls-'));
  server = await PostgresProcess.start();
});

afterAll(async () => {
  rmSync(folder, { recursive: true });
  await server[Symbol.asyncDispose]();
});

const asSuperuser = (...statements: string[]): Promise<void> =>
  withClient(server.connection, async (client) => {
    for (const statement of statements) await client.query(statement);
  });

/** Creates an empty database whose owner has no rights to other databases. */
async function freshDatabase(
  name: string,
  rights = 'NOCREATEROLE',
): Promise<PostgresConnection & { readonly password: string }> {
  await asSuperuser(
    `CREATE ROLE ${name} LOGIN ${rights} PASSWORD 'hidden'`,
    `CREATE DATABASE ${name} OWNER ${name}`,
  );
  return { ...server.connection, user: name, database: name, password: 'hidden' };
}

async function refusal(attempt: Promise<unknown>): Promise<string> {
  const error: unknown = await attempt.catch((failed: unknown) => failed);
  expect(error).toBeInstanceOf(SchemaMismatch);
  const { message } = error as Error;
  expect(message).toMatch(/^[^\n]+\.$/);
  expect(message).not.toMatch(/hidden|of the service/);
  return message;
}

describe('a database that requires passwords', () => {
  test('reports in a sentence which right its owner lacks', async () => {
    const poor = await freshDatabase('poor');
    expect(await refusal(migrate(poor))).toMatch(
      /user poor may not create or use the roles .*: give the user CREATEROLE/,
    );
    expect(await refusal(migrate({ ...poor, password: 'not hidden' }))).toMatch(
      /refuses the password of poor/,
    );
    expect(await refusal(migrate({ ...poor, database: 'nothing' }))).toMatch(
      /There is no database nothing/,
    );
    const { host, port, user, database } = poor;
    expect(await refusal(migrate({ host, port, user, database }))).toMatch(
      /asks for a password of poor, and none is given/,
    );
    await asSuperuser('ALTER DATABASE poor OWNER TO CURRENT_USER', 'ALTER ROLE poor CREATEROLE');
    expect(await refusal(migrate(poor))).toMatch(/may not change the schema of the database poor/);
    await expect(migrate({ ...poor, port: 1 })).rejects.toThrow(StoreUnavailable);
    await expect(migrate({ ...poor, port: 1 })).rejects.toThrow(/127\.0\.0\.1:1 does not answer/);
  });

  test('is refused before its migration, and then used by roles with a password of their own', async () => {
    const owner = { ...(await freshDatabase('first', 'CREATEROLE')), servicePassword: 'one' };
    expect(await refusal(requireSchema(owner))).toMatch(/`sightline migrate` creates this role/);
    const { applied, passwords } = await migrate(owner);
    expect(applied).toEqual(await knownMigrations());
    expect(passwords).toEqual(['sightline_app', 'sightline_platform']);
    await requireSchema(owner);
    expect(await migrate(owner)).toEqual({ applied: [], passwords: [], isNewer: false });
    const second = await freshDatabase('second');
    const service = { ...owner, database: second.database };
    expect(await refusal(requireSchema(service))).toMatch(
      /has no schema .* run `sightline migrate`/,
    );

    // SASLprep changes several of these characters. The migration and the driver must compute the same password.
    const changed = { ...owner, servicePassword: 'p\u00e4ss\u00a0w\u00ad\u03bfrd \ufb01 \u212b' };
    expect(await refusal(requireSchema(changed))).toMatch(
      /refuses the password of sightline_platform\. `sightline migrate` creates this role/,
    );
    expect((await migrate(changed)).passwords).toHaveLength(2);
    await requireSchema(changed);
    // The owner's password does not matter here, because processes of the service log in only with the service's
    // roles.
    await requireSchema({ ...changed, user: 'nobody', password: 'nothing' });
    expect(await refusal(requireSchema(owner))).toMatch(/refuses the password of sightline_pl/);

    await using stores = openPostgres(changed, {
      logger: createLogger({ level: 'silent' }),
      reader: { kind: 'shared' },
    });
    expect(await stores.database.ready()).toBe(true);
    expect((await stores.installation.read()).media).toBeNull();
  });

  test('gives the roles the password of the owner by default', async () => {
    const { applied, passwords } = await migrate(server.connection);
    expect([applied.length, passwords.length]).toEqual([(await knownMigrations()).length, 2]);
    await requireSchema(server.connection);
  });

  test('separates two installations on a server by suffixes of their roles', async () => {
    const installation = async (roleSuffix: string) => {
      const fresh = await freshDatabase(roleSuffix, 'CREATEROLE');
      const owner = { ...fresh, servicePassword: `of ${roleSuffix}`, roleSuffix };
      const { passwords } = await migrate(owner);
      expect(passwords).toEqual([
        `sightline_app_${roleSuffix}`,
        `sightline_platform_${roleSuffix}`,
      ]);
      return owner;
    };
    const red = await installation('red');
    const blue = await installation('blue');
    expect(await migrate(blue)).toEqual({ applied: [], passwords: [], isNewer: false });
    const options = {
      logger: createLogger({ level: 'silent' }),
      reader: { kind: 'shared' },
    } as const;
    for (const own of [red, blue]) {
      await requireSchema(own);
      await using stores = openPostgres(own, options);
      const { id: environmentId } = await stores.keys.environment('home');
      const settings = await stores.database.withScope({ environmentId }, (tx) =>
        tx.settings.all(),
      );
      expect(settings.size).toBe(0);
      await stores.database.withEntities({ environmentId, locks: [] }, (tx) =>
        tx.settings.put('audit.reads', true),
      );
      expect(await stores.environments.list('none')).toEqual([]);
    }
    for (const role of ['sightline_app_red', 'sightline_platform_red']) {
      const stranger = { ...blue, user: role, password: 'of red' };
      await expect(withClient(stranger, () => Promise.resolve())).rejects.toMatchObject({
        code: '42501',
      });
      const { rows } = await withClient({ ...server.connection, database: 'blue' }, (client) =>
        client.query<{ open: string }>(
          `SELECT c.relname AS open FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'S')
             AND has_table_privilege($1, c.oid, 'SELECT, INSERT, UPDATE, DELETE')
           UNION ALL
           SELECT p.proname FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef
             AND p.prorettype <> 'trigger'::regtype AND has_function_privilege($1, p.oid, 'EXECUTE')
           UNION ALL
           SELECT r.rolname FROM pg_roles r WHERE r.rolname LIKE '%blue%' AND pg_has_role($1, r.oid, 'MEMBER')`,
          [role],
        ),
      );
      expect(rows).toEqual([]);
    }
    expect(await refusal(migrate({ ...blue, roleSuffix: 'green' }))).toMatch(
      /is for the role sightline_platform_blue, and not for sightline_platform_green: set SIGHTLINE_DATABASE_ROLE_SUFFIX/,
    );
  });

  test('stores only verifiers of passwords, and logs no password', async () => {
    const owner = { ...server.connection, servicePassword: 'of the service: 100 % secret' };
    await asSuperuser(`ALTER SYSTEM SET log_statement = 'all'`, 'SELECT pg_reload_conf()');
    await migrate(owner);
    await asSuperuser('ALTER SYSTEM RESET log_statement', 'SELECT pg_reload_conf()');
    await requireSchema(owner);
    const log = await withClient(server.connection, async (client) => {
      const { rows } = await client.query<{ log: string }>(
        `SELECT pg_read_file(current_setting('data_directory') || '/../server.log') AS log`,
      );
      return rows[0]!.log;
    });
    expect(log).toContain('ALTER ROLE sightline_app PASSWORD');
    expect(log).not.toContain('100 % secret');
  });

  test('is refused if its schema is older or newer', async () => {
    const { connection } = server;
    const change = (statement: string) =>
      withClient(connection, (client: pg.Client) => client.query(statement));
    await migrate(connection);
    await change(`UPDATE applied_migrations SET name = '0000' WHERE name = '0000_baseline'`);
    expect(await refusal(requireSchema(connection))).toMatch(
      /older version of Sightline, without \d{4}_[a-z-]+: run `sightline migrate`\.$/,
    );
    await change(`UPDATE applied_migrations SET name = '0000_baseline' WHERE name = '0000'`);
    await change(`INSERT INTO applied_migrations (name) VALUES ('9999_of-a-newer-release')`);
    await requireSchema(connection);
    await change(`UPDATE installation SET least_release = '99.0.0'`);
    expect(await refusal(requireSchema(connection))).toMatch(/newer release .* start 99\.0\.0 or/);
    await change('UPDATE installation SET least_release = DEFAULT');
    await change(`DELETE FROM applied_migrations WHERE name = '9999_of-a-newer-release'`);
    await requireSchema(connection);
  });
});

test('a start does not wait for a server that accepts logins and then never answers', async () => {
  const welcome = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1');
  const silent = createServer((socket) => {
    socket.once('data', () => socket.write(welcome));
  });
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  try {
    const { port } = silent.address() as AddressInfo;
    const attempt = requireSchema({ ...server.connection, port });
    await expect(attempt).rejects.toThrow(StoreUnavailable);
  } finally {
    silent.close();
  }
});

describeWithCertificates('TLS', () => {
  let authority: string;
  let otherAuthority: string;

  beforeAll(async () => {
    const ours = makeCertificate('DNS:localhost');
    authority = keep('ours', ours.authority);
    otherAuthority = keep('theirs', makeCertificate('DNS:localhost').authority);
    await migrate(server.connection);
    await server.encrypt(ours);
  });

  const keep = (name: string, certificate: string): string => {
    const path = join(folder, name);
    writeFileSync(path, certificate);
    return path;
  };

  const at = (host: string, words: string): PostgresConnection => {
    const { port, user, password, database } = server.connection;
    const login = `${user}:${encodeURIComponent(password!)}`;
    return parseDatabaseUrl(`postgres://${login}@${host}:${port}/${database}?${words}`);
  };

  test('accepts the server with the right name and authority', async () => {
    for (const [host, words] of [
      ['localhost', `sslmode=verify-full&sslrootcert=${authority}`],
      ['127.0.0.1', `sslmode=verify-ca&sslrootcert=${authority}`],
      ['127.0.0.1', 'sslmode=require'],
    ] as const) {
      await requireSchema(at(host, words));
    }
    await using stores = openPostgres(
      at('localhost', `sslmode=verify-full&sslrootcert=${authority}`),
      { logger: createLogger({ level: 'silent' }), reader: { kind: 'shared' } },
    );
    expect(await stores.database.ready()).toBe(true);
    await stores.ping(new AbortController().signal);
  });

  test('refuses a server with another authority or name, or without TLS', async () => {
    const other = at('localhost', `sslmode=verify-full&sslrootcert=${otherAuthority}`);
    expect(await refusal(requireSchema(other))).toMatch(/localhost is not trusted \(\w+\)/);
    expect(await refusal(requireSchema(at('localhost', 'sslmode=verify-full')))).toMatch(/trusted/);
    // The certificate is for localhost, not for this address.
    const misnamed = at('127.0.0.1', `sslmode=verify-full&sslrootcert=${authority}`);
    expect(await refusal(migrate(misnamed))).toMatch(/not valid for 127\.0\.0\.1/);
    expect(await refusal(migrate(at('127.0.0.1', 'sslmode=disable')))).toMatch(
      /rejects logins without encryption: set sslmode/,
    );
    const mixed = at('127.0.0.1', `sslmode=require&sslcert=${authority}&sslkey=${otherAuthority}`);
    expect(await refusal(migrate(mixed))).toMatch(/sslcert and the key of sslkey cannot be used/);
    await using stores = openPostgres(other, {
      logger: createLogger({ level: 'silent' }),
      reader: { kind: 'shared' },
    });
    await expect(stores.keys.list()).rejects.toThrow(StoreUnavailable);
  });
});
