import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { DomainEvent } from '@sightline/core/events/domain-event';
import { FIRST_POSITION } from '@sightline/core/events/stored-event';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { createLogger } from '@sightline/platform/logging/logger';
import { Doors } from '@sightline/postgres/doors/doors';
import { openPools } from '@sightline/postgres/doors/open-pools';
import type { TransactionSession } from '@sightline/postgres/doors/transaction-session';
import { migrate } from '@sightline/postgres/migrate';
import { emitEvents } from '@sightline/postgres/stores/events/outbox';
import { readOutbox } from '@sightline/postgres/stores/events/outbox-reader';
import { PostgresDatabase } from '@sightline/postgres/stores/database/postgres-database';
import { PostgresProcess } from '../../support/servers/postgres-process.ts';

const resources = new AsyncDisposableStack();
let server: PostgresProcess;
let doors: Doors;
let environmentId: number;

beforeAll(async () => {
  server = resources.use(await PostgresProcess.start());
  await migrate(server.connection);
  const logger = createLogger({ level: 'silent' });
  doors = new Doors(resources.use(openPools(server.connection, { logger })));
  const [row] = await doors.withPlatform('accounts', (session) =>
    session.query<{ id: number }>(`INSERT INTO environments (name) VALUES ('ours') RETURNING id`),
  );
  environmentId = row!.id;
});
afterAll(() => resources.disposeAsync());

const deleted = (id: number): DomainEvent => ({
  event: 'identity_deleted',
  facts: { identityId: id },
});

function emitting(id: number) {
  return (session: TransactionSession) => emitEvents(session, environmentId, [deleted(id)]);
}

/** The ids of the identities in the events that consumers can read. */
async function readable(): Promise<readonly unknown[]> {
  const events = await doors.withPlatform('events', (session) =>
    readOutbox(session, FIRST_POSITION, 100),
  );
  return events.map(({ data }) => (JSON.parse(data) as { identity_id: unknown }).identity_id);
}

async function lsn(kind: 'insert' | 'flush'): Promise<string> {
  const [row] = await doors.withPlatform('maintenance', (session) =>
    session.query<{ lsn: string }>(`SELECT pg_current_wal_${kind}_lsn()::text AS lsn`),
  );
  return row!.lsn;
}

async function isFlushed(position: string): Promise<boolean> {
  const [row] = await doors.withPlatform('maintenance', (session) =>
    session.query<{ is: boolean }>('SELECT pg_current_wal_flush_lsn() >= $1::pg_lsn AS is', [
      position,
    ]),
  );
  return row!.is;
}

/** Resolves when a transaction waits for a lock. */
async function lockIsAwaited(): Promise<void> {
  const waiting = () =>
    doors.withPlatform('maintenance', (session) =>
      session.query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`),
    );
  while ((await waiting()).length === 0);
}

test('only deferred writes do not wait for the disk, and a flush waits for all of them', async () => {
  const flushes: Promise<void>[] = [];
  const deferred = (flushed: Promise<void>) => void flushes.push(flushed);
  const setting = async (session: TransactionSession): Promise<unknown> => {
    await emitting(0)(session);
    const [row] = await session.query<Record<string, unknown>>('SHOW synchronous_commit');
    return row!.synchronous_commit;
  };
  const scope = { environmentId, locks: [] };
  expect(await doors.withEntities({ ...scope, deferred }, setting)).toBe('off');
  expect(await doors.withEntities(scope, setting)).toBe('on');
  await doors.withEntities({ ...scope, deferred }, setting);
  const written = await lsn('insert');
  doors.endGroup();
  await Promise.all(flushes);
  expect(flushes).toHaveLength(2);
  expect(await isFlushed(written)).toBe(true);
});

test('consumers read the events of deferred writes only after the flush, in their order', async () => {
  const before = await readable();
  const writes = new PostgresDatabase(doors, 'reader').deferred();
  const release = Promise.withResolvers<undefined>();
  const scope = { environmentId, locks: [] };
  const emit = (id: number) => writes.withEntities(scope, (tx) => tx.emit(deleted(id)));
  // The group stays open until its last transaction has ended.
  const written = Promise.withResolvers<undefined>();
  const last = writes.withEntities(scope, async (tx) => {
    await tx.emit(deleted(1));
    written.resolve(undefined);
    await release.promise;
  });
  await written.promise;
  await emit(2);
  await doors.withEntities(scope, emitting(3));
  expect(await readable()).toEqual(before);
  release.resolve(undefined);
  await last;
  await writes.flush();
  expect(await readable()).toEqual([...before, 1, 2, 3]);
});

test('a write that fails delays no flush', async () => {
  const writes = new PostgresDatabase(doors, 'reader').deferred();
  const failing = writes.withEntities({ environmentId, locks: [] }, () =>
    Promise.reject(new Error('changed its mind')),
  );
  await expect(failing).rejects.toThrow('changed its mind');
  await writes.flush();
});

test('a write that waits for further locks delays no flush', async () => {
  const lock = { entity: 'identity', id: 7, mode: 'exclusive' } as const;
  const release = Promise.withResolvers<undefined>();
  const locked = Promise.withResolvers<undefined>();
  const holder = doors.withEntities({ environmentId, locks: [lock] }, async () => {
    locked.resolve(undefined);
    await release.promise;
  });
  await locked.promise;
  const database = new PostgresDatabase(doors, 'reader');
  const scope = { environmentId, locks: [] };
  const waiting = Promise.withResolvers<undefined>();
  const waits = database.deferred();
  const write = waits.withEntities(scope, async (tx) => {
    waiting.resolve(undefined);
    tx.require(lock);
    await tx.emit(deleted(21));
  });
  await waiting.promise;
  const writes = database.deferred();
  await writes.withEntities(scope, (tx) => tx.emit(deleted(22)));
  await writes.flush();
  expect(await readable()).toContain(22);
  release.resolve(undefined);
  await Promise.all([holder, write]);
  await waits.flush();
  expect(await readable()).toContain(21);
});

test('a write that loses a conflict delays no flush while it waits for its locks again', async () => {
  const lock = { entity: 'identity', id: 8, mode: 'exclusive' } as const;
  const locks = [lock];
  const release = Promise.withResolvers<undefined>();
  const locked = Promise.withResolvers<undefined>();
  const held: Promise<void>[] = [];
  const hold = () =>
    doors.withEntities({ environmentId, locks }, async () => {
      locked.resolve(undefined);
      await release.promise;
    });
  const database = new PostgresDatabase(doors, 'reader');
  const deferred = () => undefined;
  const loser = doors.withEntities({ environmentId, locks, deferred }, async (session) => {
    if (held.length > 0) return;
    // The other transaction gets the lock as soon as this attempt has ended.
    held.push(hold());
    await lockIsAwaited();
    await session.query(`DO $$ BEGIN RAISE 'lost' USING ERRCODE = '40P01'; END $$`);
  });
  await locked.promise;
  const writes = database.deferred();
  await writes.withEntities({ environmentId, locks: [] }, (tx) => tx.emit(deleted(24)));
  await writes.flush();
  expect(await readable()).toContain(24);
  release.resolve(undefined);
  await Promise.all([...held, loser]);
});

test('slow writes hold two groups at most, and others wait for the disk by themselves', async () => {
  const release = Promise.withResolvers<undefined>();
  const flushes: Promise<void>[] = [];
  const scope = {
    environmentId,
    locks: [],
    deferred: (flushed: Promise<void>) => void flushes.push(flushed),
  };
  const slow: Promise<void>[] = [];
  const settings: unknown[] = [];
  for (const id of [31, 32, 33]) {
    const written = Promise.withResolvers<undefined>();
    const write = doors.withEntities(scope, async (session) => {
      await emitting(id)(session);
      const [row] = await session.query<Record<string, unknown>>('SHOW synchronous_commit');
      settings.push(row!.synchronous_commit);
      written.resolve(undefined);
      await release.promise;
    });
    slow.push(write);
    await Promise.race([written.promise, write]);
    doors.endGroup();
  }
  expect(settings).toEqual(['off', 'off', 'on']);
  release.resolve(undefined);
  await Promise.all(slow);
  await Promise.all(flushes);
  expect(await readable()).toEqual(expect.arrayContaining([31, 32, 33]));
});

test('a group outlasts the limits of idle connections and of its longest transaction', async () => {
  const logger = createLogger({ level: 'silent' });
  const limits = { idleTimeout: 3_000, transactionTimeout: 4_000 };
  await using pools = openPools(server.connection, { logger, ...limits });
  const limited = new Doors(pools);
  const flushes: Promise<void>[] = [];
  const deferred = (flushed: Promise<void>) => void flushes.push(flushed);
  await limited.withEntities({ environmentId, locks: [], deferred }, async (session) => {
    await session.query('SET LOCAL transaction_timeout = 0');
    await emitting(9)(session);
    await session.query('SELECT pg_sleep(5)');
  });
  limited.endGroup();
  await Promise.all(flushes);
  expect(await readable()).toContain(9);
});

test('a crash of the server loses nothing that was flushed, and a flush after it fails', async () => {
  const writes = new PostgresDatabase(doors, 'reader').deferred();
  const scope = { environmentId, locks: [] };
  await writes.withEntities(scope, (tx) => tx.emit(deleted(10)));
  await writes.flush();
  const release = Promise.withResolvers<undefined>();
  const written = Promise.withResolvers<undefined>();
  const interrupted = writes.withEntities(scope, async (tx) => {
    await tx.emit(deleted(11));
    written.resolve(undefined);
    await release.promise;
  });
  interrupted.catch(() => undefined);
  await written.promise;
  await server.kill();
  release.resolve(undefined);
  await expect(interrupted).rejects.toThrow(StoreUnavailable);
  await expect(writes.flush()).rejects.toThrow(StoreUnavailable);
  await server.start();
  const kept = await readable();
  expect(kept).toContain(10);
  expect(kept).not.toContain(11);
  await writes.withEntities(scope, (tx) => tx.emit(deleted(12)));
  await expect(writes.flush()).rejects.toThrow(StoreUnavailable);
  const next = new PostgresDatabase(doors, 'reader').deferred();
  await next.withEntities(scope, (tx) => tx.emit(deleted(13)));
  await next.flush();
  expect(await readable()).toEqual([...kept, 12, 13]);
});
