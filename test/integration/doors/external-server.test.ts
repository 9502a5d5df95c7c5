import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { Credential } from '@sightline/platform/resilience/credential';
import { createLogger } from '@sightline/platform/logging/logger';
import type { Guard } from '@sightline/platform/resilience/guard';
import { Doors } from '@sightline/postgres/doors/doors';
import { openPools, type Pools } from '@sightline/postgres/doors/open-pools';
import { ping } from '@sightline/postgres/doors/ping';
import type { TransactionSession } from '@sightline/postgres/doors/transaction-session';
import { sql } from '@sightline/postgres/drizzle';
import { migrate } from '@sightline/postgres/migrate';
import type { PostgresConnection } from '@sightline/postgres/postgres-connection';
import { environments } from '@sightline/postgres/schema/environments';
import { withClient as connectAs } from '@sightline/postgres/with-client';
import { PostgresProcess } from '../../support/servers/postgres-process.ts';
import { withClient } from '../../support/servers/test-server.ts';

let server: PostgresProcess;
let connection: PostgresConnection;
let pools: Pools;
let doors: Doors;
/** Its abort ends everything that the guard runs, as the guard of the service does when the server hangs. */
let hung: AbortController;

beforeAll(async () => {
  server = await PostgresProcess.start();
  connection = { ...server.connection, servicePassword: 'of the service' };
  await migrate(connection);
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

beforeEach(() => {
  pools = openPools(connection, {
    logger: createLogger({ level: 'silent' }),
    applicationName: 'sightline test',
    connections: 4,
    statementTimeout: 20_000,
    lockTimeout: 50,
    idleTimeout: 15_000,
    transactionTimeout: 25_000,
  });
  hung = new AbortController();
  const guard: Guard = (operation, signal) => {
    const signals = signal === undefined ? [hung.signal] : [signal, hung.signal];
    return operation(AbortSignal.any(signals));
  };
  doors = new Doors(pools, { guard, applicationName: 'sightline test' });
});

afterEach(async () => {
  await pools[Symbol.asyncDispose]();
});

const addEnvironment = (name: string) =>
  doors.withPlatform('accounts', (session) =>
    session.query('INSERT INTO environments (name) VALUES ($1)', [name]),
  );

const names = async (): Promise<string[]> => {
  const rows = await doors.withPlatform('accounts', (session) =>
    session.query<{ name: string }>('SELECT name FROM environments ORDER BY id'),
  );
  return rows.map(({ name }) => name);
};

/**
 * Pings until an answer arrives, because on a busy machine a connection may exceed its time limit.
 */
async function untilAnswering(): Promise<void> {
  const answers = () =>
    ping(pools.watch, new AbortController().signal).then(
      () => true,
      () => false,
    );
  while (!(await answers()));
}

const read = (signal?: AbortSignal) =>
  doors.withScope({ environmentId: 1 }, (session) => session.query('SELECT 1'), signal);

describe('a change of the password of the roles', () => {
  const [former, next] = ['of the service', 'of the service, changed'];
  const logIn = async (read: () => readonly string[]) => {
    const own = { ...connection, rolePassword: new Credential(read) };
    await using opened = openPools(own, { logger: createLogger({ level: 'silent' }) });
    await ping(opened.watch, new AbortController().signal);
  };
  const change = (password: string) =>
    withClient(server.connection, async (client) => {
      for (const role of ['sightline_app', 'sightline_platform'])
        await client.query(`ALTER ROLE ${role} PASSWORD '${password}'`);
    });
  afterEach(() => change(former));

  test('fails no new connection that has both passwords, before and after it', async () => {
    await logIn(() => [next, former]);
    await change(next);
    await logIn(() => [next, former]);
    await logIn(() => [former, next]);
    await expect(logIn(() => [former])).rejects.toThrow(StoreUnavailable);
  });

  test('makes a refused connection read the password again', async () => {
    let password = former;
    const own = { ...connection, rolePassword: new Credential(() => [password]) };
    await using opened = openPools(own, { logger: createLogger({ level: 'silent' }) });
    await change(next);
    password = next;
    await ping(opened.watch, new AbortController().signal);
    await withSessions(own, async (query) =>
      expect(await query('SELECT 1 AS one')).toEqual([{ one: 1 }]),
    );
  });
});

/** Runs statements over a connection without a pool, as commands do. */
async function withSessions(
  own: PostgresConnection,
  use: (query: (text: string) => Promise<unknown[]>) => Promise<void>,
): Promise<void> {
  const session = { role: 'sightline_app', applicationName: 'sightline test', settings: {} };
  await connectAs(own, session, (client) =>
    use(async (text) => (await client.query<Record<string, unknown>>(text)).rows),
  );
}

describe('sessions', () => {
  test('have the configured limits, and the name of their process', async () => {
    const settings = await doors.withPlatform('jobs', (session) =>
      session.query<{ name: string; setting: string }>(
        `SELECT name, setting FROM pg_settings WHERE name = 'application_name'
           OR name LIKE '%\\_timeout' AND source = 'client' ORDER BY name`,
      ),
    );
    expect(settings).toEqual([
      { name: 'application_name', setting: 'sightline test jobs' },
      { name: 'idle_in_transaction_session_timeout', setting: '15000' },
      { name: 'lock_timeout', setting: '50' },
      { name: 'statement_timeout', setting: '20000' },
      { name: 'transaction_timeout', setting: '25000' },
    ]);
  });

  test('do not wait for a lock forever, and fail with StoreUnavailable', async () => {
    await addEnvironment('locked');
    const locks = [{ entity: 'detection', id: 1 } as const];
    const release = Promise.withResolvers<undefined>();
    const holding = Promise.withResolvers<undefined>();
    const holder = doors.withEntities({ environmentId: 1, locks }, async () => {
      holding.resolve(undefined);
      await release.promise;
    });
    await holding.promise;
    const waiter = doors.withEntities({ environmentId: 1, locks }, () => Promise.resolve());
    await expect(waiter).rejects.toThrow(StoreUnavailable);
    release.resolve(undefined);
    await holder;
  });
});

describe('a server that hangs', () => {
  test('fails all waiting callers as soon as it is detected, and is used again', async () => {
    await addEnvironment('before');
    const idle = Promise.withResolvers<undefined>();
    const atWork = Promise.withResolvers<undefined>();
    const written = Promise.withResolvers<undefined>();
    const committing = Promise.withResolvers<undefined>();
    const running = [
      // One transaction is between two statements, and the other one is about to commit.
      doors.withScope({ environmentId: 1 }, async (session) => {
        atWork.resolve(undefined);
        await idle.promise;
        return session.query('SELECT 1');
      }),
      doors.withPlatform('accounts', async (session) => {
        await session.query(`INSERT INTO environments (name) VALUES ('uncommitted')`);
        written.resolve(undefined);
        await committing.promise;
      }),
    ];
    await Promise.all([atWork.promise, written.promise]);
    const goOn = await server.hang();
    idle.resolve(undefined);
    committing.resolve(undefined);
    // Some of these reads have a connection, some wait until a connection is opened, and some wait
    // for a free one.
    running.push(...Array.from({ length: 8 }, () => read()));
    const settled = Promise.allSettled(running);
    const pinging = new AbortController();
    const answer = ping(pools.watch, pinging.signal);
    const isPending = await Promise.race([
      Promise.allSettled([...running, answer]).then(() => false),
      new Promise((resolve) => setTimeout(resolve, 300, true)),
    ]);
    expect(isPending).toBe(true);
    pinging.abort();
    await expect(answer).rejects.toThrow(StoreUnavailable);
    hung.abort(new Error('it hangs'));
    // All work fails without an answer of the server, which still hangs.
    for (const each of await settled) {
      expect(each).toMatchObject({ status: 'rejected', reason: expect.any(StoreUnavailable) });
    }
    expect(pools.app.idleCount + pools.platform.idleCount).toBe(0);
    goOn();
    hung = new AbortController();
    await untilAnswering();
    await addEnvironment('after');
    expect(await names()).toEqual(expect.arrayContaining(['before', 'after']));
    await Promise.all(Array.from({ length: 8 }, () => read()));
  });

  test('does not hold up a caller that aborts', async () => {
    await read();
    const goOn = await server.hang();
    const caller = new AbortController();
    const waiting = [read(caller.signal), read(caller.signal)];
    caller.abort(new Error('cancelled by the test'));
    for (const each of waiting) await expect(each).rejects.toThrow('cancelled by the test');
    goOn();
    await read();
  });
});

describe('a server that is killed', () => {
  test('is used again as soon as it is back at its address', async () => {
    await addEnvironment('kept');
    await ping(pools.watch, new AbortController().signal);
    await server.kill();
    await expect(addEnvironment('lost')).rejects.toThrow(StoreUnavailable);
    await expect(read()).rejects.toThrow(StoreUnavailable);
    await expect(ping(pools.watch, new AbortController().signal)).rejects.toThrow(StoreUnavailable);
    await server.start();
    await untilAnswering();
    await addEnvironment('after the restart');
    const known = await names();
    expect(known).toEqual(expect.arrayContaining(['kept', 'after the restart']));
    expect(known).not.toContain('lost');
  });

  test('and is read-only: its connections are closed, the next may reach another server', async () => {
    await addEnvironment('one connection');
    const { rows } = await pools.platform.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await withClient(server.connection, async (owner) => {
      await owner.query('ALTER SYSTEM SET default_transaction_read_only = on');
      await owner.query('SELECT pg_reload_conf()');
    });
    try {
      // Repeats, because the process of an open connection may reload its settings only after some attempts.
      const attempt = () =>
        addEnvironment(randomUUID()).then(
          () => null,
          (error: unknown) => error,
        );
      let refusal: unknown = null;
      while (refusal === null) refusal = await attempt();
      expect(refusal).toBeInstanceOf(StoreUnavailable);
      await expect(addEnvironment('a standby')).rejects.toThrow(StoreUnavailable);
      expect(pools.platform.totalCount).toBe(0);
    } finally {
      await withClient(server.connection, async (owner) => {
        await owner.query('SET default_transaction_read_only = off');
        await owner.query('ALTER SYSTEM RESET default_transaction_read_only');
        await owner.query('SELECT pg_reload_conf()');
      });
    }
    const isTaken = () =>
      addEnvironment('elsewhere').then(
        () => true,
        () => false,
      );
    while (!(await isTaken()));
    const after = await pools.platform.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    expect(after.rows[0]!.pid).not.toBe(rows[0]!.pid);
  });

  test('and returns as a standby accepts no writes, and keeps no connection that tried one', async () => {
    await addEnvironment('before the standby');
    const change = (session: TransactionSession) =>
      session.query(
        `INSERT INTO environment_settings (environment_id, key, value) VALUES (1, $1, '1')`,
        [randomUUID()],
      );
    const built = ({ db }: TransactionSession) => db.insert(environments).values({ name: 'built' });
    const inOne = (work: (session: TransactionSession) => Promise<unknown>) =>
      doors.withEntities({ environmentId: 1, locks: [] }, work);
    const changes = [
      () => inOne(change),
      () => inOne(built),
      () => doors.withPlatform('settings', change),
      () => doors.withPlatform('accounts', built),
    ];
    await server.demote();
    for (const attempt of changes) {
      await expect(attempt()).rejects.toThrow(StoreUnavailable);
      expect([pools.app.totalCount, pools.platform.totalCount]).toEqual([0, 0]);
    }
    await read();
    await withClient(server.connection, (owner) => owner.query('SELECT pg_promote()'));
    await inOne(change);
    await addEnvironment('after the standby');
  });
});

describe('single statements', () => {
  test('carry their purpose, and are transactions like any other', async () => {
    const [row] = await doors.onPlatform('leases', (session) =>
      session.query(
        `SELECT query, current_setting('transaction_isolation') AS isolation, $1::int AS value
         FROM pg_stat_activity WHERE pid = pg_backend_pid()`,
        [7],
      ),
    );
    expect(row).toMatchObject({
      query: expect.stringMatching(/^\/\* leases \*\/ SELECT/),
      isolation: 'read committed',
      value: 7,
    });
  });

  test('are single: a second one is refused', async () => {
    const two = doors.onPlatform('accounts', async (session) => {
      await session.query("INSERT INTO environments (name) VALUES ('first of two')");
      await session.query('SELECT 1');
    });
    await expect(two).rejects.toThrow('Only one statement is allowed without a transaction.');
    expect(await names()).toContain('first of two');
  });

  test('of the query builder carry their purpose, too', async () => {
    const [row] = await doors.onPlatform('models', ({ db }) =>
      db
        .select({ query: sql<string>`query` })
        .from(sql`pg_stat_activity`)
        .where(sql`pid = pg_backend_pid()`),
    );
    expect(row!.query).toMatch(/^\/\* models \*\/ select/);
  });

  test('that fail change nothing, and their connection is used again', async () => {
    const text = "INSERT INTO environments (name) VALUES ('single'), (NULL)";
    await expect(
      doors.onPlatform('accounts', (session) => session.query(text)),
    ).rejects.toMatchObject({
      code: '23502',
    });
    expect(await names()).not.toContain('single');
    expect(pools.platform.totalCount).toBe(1);
  });

  test('are canceled when the caller aborts, and their connection is closed', async () => {
    const caller = new AbortController();
    const reason = new Error('the caller left');
    const sleeping = doors.onPlatform(
      'jobs',
      (session) => session.query('SELECT pg_sleep(60)'),
      caller.signal,
    );
    while (pools.platform.totalCount - pools.platform.idleCount === 0) await read();
    caller.abort(reason);
    await expect(sleeping).rejects.toBe(reason);
    await addEnvironment('after the abort');
    expect(await names()).toContain('after the abort');
  });
});
