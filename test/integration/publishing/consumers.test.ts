import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ConsumeEvents } from '@sightline/core/database/consumer-store';
import type { EventBatch } from '@sightline/core/events/event-stream';
import { FIRST_POSITION, type StoredEvent } from '@sightline/core/events/stored-event';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';

let store: StoreFixture;
let home: SeededEnvironment;
/** The ids of the identities in the consumed events, in order. */
let consumed: number[];

beforeAll(async () => {
  store = await openStoreFixture();
});
beforeEach(async () => {
  await store.query('DELETE FROM outbox');
  home = await store.environment();
  consumed = [];
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

const consume: ConsumeEvents = ({ feed }, events) => {
  consumed.push(...events.map(idOf));
  return feed.append(
    events.map((event) => ({
      environmentId: event.environmentId,
      eventId: event.eventId,
      entityType: 'identity',
      entityId: idOf(event),
      action: 'deleted',
      externalRef: null,
      createdAt: event.createdAt,
      operationId: null,
    })),
  );
};
const consumption = { consumer: 'feed', consume } as const;

function idOf({ data }: StoredEvent): number {
  return (JSON.parse(data) as { identity_id: number }).identity_id;
}

/** Emits an event about each of these identities, each in a transaction of its own. */
async function emit(ids: readonly number[], { scope } = home): Promise<void> {
  for (const identityId of ids) {
    await store.database.withEntities({ ...scope, locks: [] }, (tx) =>
      tx.emit({ event: 'identity_deleted', facts: { identityId } }),
    );
  }
}

/**
 * Reads the whole outbox once it shows this number of events, because other transactions of the
 * server may delay events.
 */
async function batchOf(count: number): Promise<EventBatch> {
  for (;;) {
    const batch = await store.outbox.read(FIRST_POSITION, 1000);
    if (batch.events.length >= count) return batch;
  }
}

async function feed({ scope } = home) {
  const { items } = await store.database.withScope(scope, (tx) => tx.feed.after(0, 1000));
  return items.map(({ id, entityId }) => [id, entityId]);
}

const numbered = (...entityIds: readonly number[]) => entityIds.map((id, at) => [at + 1, id]);

describe('a consumer of events', () => {
  test('passes over what it has had, in one batch or in two', async () => {
    await emit([1, 2, 3]);
    const { epoch, events } = await batchOf(3);
    const [a, b, c] = events as [StoredEvent, StoredEvent, StoredEvent];
    await store.consumers.take(consumption, { epoch, events: [a, a, b] });
    await store.consumers.take(consumption, { epoch, events: [a, b, c] });
    await store.consumers.take(consumption, { epoch, events });
    expect(consumed).toEqual([1, 2, 3]);
    expect(await feed()).toEqual(numbered(1, 2, 3));
  });

  test('finds in the outbox what a batch lacks before an event', async () => {
    await emit([1, 2, 3, 4]);
    const { epoch, events } = await batchOf(4);
    await store.consumers.take(consumption, { epoch, events: events.slice(0, 1) });
    await store.consumers.take(consumption, { epoch, events: events.slice(2, 3) });
    await store.consumers.take(consumption, { epoch, events: events.slice(1, 2) });
    expect(consumed).toEqual([1, 2, 3, 4]);
    expect(await feed()).toEqual(numbered(1, 2, 3, 4));
  });

  test('believes no position of another outbox', async () => {
    await emit([1, 2]);
    const { events } = await batchOf(2);
    const forged = events.map((event) => ({ ...event, position: { xid: '99999999999', id: 1 } }));
    await store.consumers.take(consumption, { epoch: randomUUID(), events: forged });
    expect(consumed).toEqual([1, 2]);
    await emit([3]);
    await batchOf(3);
    await store.consumers.catchUp(consumption, [home.scope.environmentId]);
    expect(await feed()).toEqual(numbered(1, 2, 3));
  });

  test('stays where it is if its effect fails', async () => {
    await emit([1, 2]);
    const batch = await batchOf(2);
    const failing: ConsumeEvents = async (transaction, events) => {
      await consume(transaction, events);
      throw new Error('no');
    };
    await expect(store.consumers.take({ ...consumption, consume: failing }, batch)).rejects.toThrow(
      'no',
    );
    expect(await feed()).toEqual([]);
    consumed = [];
    await store.consumers.take(consumption, batch);
    expect(await feed()).toEqual(numbered(1, 2));
  });

  test('has one effect of each event, however many consume at the same time', async () => {
    const other = await store.environment();
    const ids = Array.from({ length: 40 }, (_, i) => i + 1);
    await Promise.all([emit(ids), emit(ids, other)]);
    const { epoch, events } = await batchOf(80);
    const parts = Array.from({ length: 8 }, (_, at) => events.slice(at * 7, at * 7 + 30));
    await Promise.all(
      parts.map((part) => store.consumers.take(consumption, { epoch, events: part })),
    );
    await store.consumers.catchUp(
      consumption,
      [home, other].map(({ scope }) => scope.environmentId),
    );
    expect(await feed()).toEqual(numbered(...ids));
    expect(await feed(other)).toEqual(numbered(...ids));
  });

  test('reads a long backlog in parts, and says where there is more', async () => {
    const { environmentId } = home.scope;
    await store.database.withEntities({ ...home.scope, locks: [] }, (tx) =>
      tx.emit(
        ...Array.from({ length: 1100 }, (_, identityId) => ({
          event: 'identity_deleted' as const,
          facts: { identityId },
        })),
      ),
    );
    await batchOf(1000);
    expect(await store.consumers.behind('feed', 0)).toContain(environmentId);
    const more: (readonly number[])[] = [];
    for (let rounds = 0; rounds < 3; rounds++) {
      more.push(await store.consumers.catchUp(consumption, [environmentId]));
    }
    expect(more).toEqual([[environmentId], [environmentId], []]);
    expect(consumed).toHaveLength(1100);
    expect(await store.consumers.behind('feed', 0)).not.toContain(environmentId);
    expect(await store.consumers.behind('webhooks', 0)).toContain(environmentId);
  });

  test('ignores deleted environments', async () => {
    expect(await store.consumers.catchUp(consumption, [987_654_321])).toEqual([]);
  });
});

test('large events are read a few at a time, by batches and by those who catch up', async () => {
  const home = await store.environment();
  const { environmentId } = home.scope;
  const detections = Array.from({ length: 1_000 }, (_, at) => ({
    detectionId: at,
    externalRef: 'x'.repeat(100),
  }));
  const large = { event: 'detections_deleted', facts: { detections } } as const;
  const began = await store.outbox.end();
  for (let round = 0; round < 2; round++) {
    await store.database.withEntities({ environmentId, locks: [] }, (tx) =>
      tx.emit(large, large, large, large),
    );
  }
  const lengths: number[] = [];
  let page = await store.outbox.read(began, 100);
  while (page.events.length > 0) {
    lengths.push(page.events.length);
    expect(page.hasMore).toBe(lengths.length < 3);
    page = await store.outbox.read(page.events.at(-1)!.position, 100);
  }
  expect(lengths).toEqual([3, 3, 2]);
  expect((await store.outbox.read(began, 2)).hasMore).toBe(true);
  const taken: number[] = [];
  const consume = (_: unknown, events: readonly StoredEvent[]) => {
    taken.push(events.length);
    return Promise.resolve();
  };
  const catchUp = () => store.consumers.catchUp({ consumer: 'feed', consume }, [environmentId]);
  while ((await catchUp()).length > 0);
  expect(taken).toEqual([3, 3, 2]);
});

test('a batch says which event is before each one of its environment', async () => {
  const other = await store.environment();
  await emit([1]);
  await emit([2], other);
  await emit([3]);
  await emit([4], other);
  const { events } = await batchOf(4);
  const [first, second, third, fourth] = events as StoredEvent[];
  expect(events.map(({ previous }) => previous)).toEqual([
    null,
    null,
    first!.position,
    second!.position,
  ]);
  const rest = await store.outbox.read(second!.position, 10);
  expect(rest.events).toEqual([third, fourth]);
});

test('a page says whether an older open transaction holds events back', async () => {
  const { scope } = await store.environment();
  const deleted = { event: 'identity_deleted', facts: { identityId: 1 } } as const;
  const emitted = Promise.withResolvers<undefined>();
  const end = Promise.withResolvers<undefined>();
  const write = (work: () => Promise<unknown>) =>
    store.database.withEntities({ ...scope, locks: [] }, async (tx) => {
      await tx.emit(deleted);
      await work();
    });
  const began = await store.outbox.end();
  const older = write(async () => {
    emitted.resolve(undefined);
    await end.promise;
  });
  await emitted.promise;
  await write(() => Promise.resolve());
  const before = await store.outbox.read(began, 10);
  expect([before.events.length, before.isHeldBack]).toEqual([0, true]);
  end.resolve(undefined);
  await older;
  const after = await store.outbox.read(began, 10);
  expect([after.events.length, after.isHeldBack]).toEqual([2, false]);
});
