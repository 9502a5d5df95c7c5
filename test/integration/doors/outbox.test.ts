import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DomainEvent } from '@sightline/core/events/domain-event';
import {
  type EventPosition,
  FIRST_POSITION,
  type StoredEvent,
} from '@sightline/core/events/stored-event';
import { emitEvents } from '@sightline/postgres/stores/events/outbox';
import { readOutbox } from '@sightline/postgres/stores/events/outbox-reader';
import { renumberOutbox } from '@sightline/postgres/stores/events/renumber-outbox';
import { openTestDoors, type TestDoors } from '../../support/fixtures/open-test-doors.ts';

let database: TestDoors;

beforeEach(async () => {
  database = await openTestDoors();
});

afterEach(async () => {
  await database[Symbol.asyncDispose]();
});

const deleted = (id: number): DomainEvent => ({
  event: 'identity_deleted',
  facts: { identityId: id },
});

describe('the outbox', () => {
  test('keeps events of a transaction in their order, with ids that rise', async () => {
    await emit(1, 2, 3);
    await emit(4);
    const events = await readUntil(4);
    expect(idsOf(events)).toEqual([1, 2, 3, 4]);
    expect(events.map(({ event }) => event)).toEqual(Array(4).fill('identity.deleted'));
    expect(events[0]!.environmentId).toBe(database.ours);
    expect(events[0]!.createdAt).toBeInstanceOf(Date);
    const eventIds = events.map(({ eventId }) => eventId);
    expect(eventIds.every((id) => /^[\da-f]{8}-[\da-f]{4}-7/.test(id))).toBe(true);
    expect([...eventIds].sort()).toEqual(eventIds);
  });

  test('keeps no event of a transaction that failed', async () => {
    const { doors, ours } = database;
    await expect(
      doors.withEntities({ environmentId: ours, locks: [] }, async (session) => {
        await emitEvents(session, ours, [deleted(1)]);
        throw new Error('changed its mind');
      }),
    ).rejects.toThrow('changed its mind');
    await emit(2);
    expect(idsOf(await readUntil(1))).toEqual([2]);
  });

  test('shows nothing above the oldest transaction in progress that writes', async () => {
    const { doors, ours } = database;
    const release = Promise.withResolvers<undefined>();
    const hasWritten = Promise.withResolvers<undefined>();
    const slow = doors.withEntities({ environmentId: ours, locks: [] }, async (session) => {
      await emitEvents(session, ours, [deleted(1)]);
      hasWritten.resolve(undefined);
      await release.promise;
    });
    await hasWritten.promise;
    await emit(2);
    expect(await read()).toEqual([]);
    release.resolve(undefined);
    await slow;
    expect(idsOf(await readUntil(2))).toEqual([1, 2]);
  });

  test('does not wait for transactions of other databases', async () => {
    await using other = await openTestDoors();
    await other.doors.withPlatform('events', async (session) => {
      await session.query('SELECT pg_current_xact_id()');
      await emit(1);
      expect(idsOf(await readUntil(1))).toEqual([1]);
    });
  });

  test('continues after a position', async () => {
    await emit(1, 2, 3);
    const [first] = await readUntil(1, { limit: 1 });
    expect(idsOf(await readUntil(1, { after: first!.position, limit: 1 }))).toEqual([2]);
    expect(idsOf(await readUntil(2, { after: first!.position, limit: 10 }))).toEqual([2, 3]);
  });

  test('keeps its order after a restore into another cluster', async () => {
    const { doors, owner } = database;
    await emit(1, 2);
    await emit(3);
    await emit(4);
    const before = await readUntil(4);
    // The update raises the transaction ids, as in a cluster with a higher counter, and puts the
    // events in the order 3, 4, 1, 2.
    await owner.query(
      `UPDATE outbox SET xid = (xid::text::bigint + CASE WHEN data->>'identity_id' IN ('1', '2')
         THEN 2000000000 ELSE 1000000000 END)::text::xid8`,
    );
    expect(await read()).toEqual([]);
    await doors.withPlatform('events', renumberOutbox);
    await emit(5);
    const after = await readUntil(5);
    expect(idsOf(after)).toEqual([3, 4, 1, 2, 5]);
    // Compares the events without their positions in the outbox.
    const withoutPositions = (events: readonly StoredEvent[]) =>
      events.map(({ eventId, createdAt, data }) => ({ eventId, createdAt, data }));
    const order = [2, 3, 0, 1];
    expect(withoutPositions(after.slice(0, 4))).toEqual(
      withoutPositions(order.map((i) => before[i]!)),
    );
  });
});

async function emit(...ids: readonly number[]): Promise<void> {
  const { doors, ours } = database;
  await doors.withEntities({ environmentId: ours, locks: [] }, (session) =>
    emitEvents(session, ours, ids.map(deleted)),
  );
}

interface Part {
  readonly after?: EventPosition;
  readonly limit?: number;
}

async function read({ after = FIRST_POSITION, limit = 100 }: Part = {}): Promise<
  readonly StoredEvent[]
> {
  return database.doors.withPlatform('events', (session) => readOutbox(session, after, limit));
}

/**
 * Reads until there is this number of events. Open transactions of other databases delay events
 * too, so some events may appear only in a later read.
 */
async function readUntil(count: number, part: Part = {}): Promise<readonly StoredEvent[]> {
  for (;;) {
    const events = await read(part);
    if (events.length >= count) return events;
  }
}

function idsOf(events: readonly StoredEvent[]): number[] {
  return events.map(({ data }) => (JSON.parse(data) as { identity_id: number }).identity_id);
}
