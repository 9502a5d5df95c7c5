import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { DetectionLabeled } from '@sightline/contracts/events/detection-events';
import {
  type EventPosition,
  FIRST_POSITION,
  type StoredEvent,
} from '@sightline/core/events/stored-event';
import type { TransactionSession } from '@sightline/postgres/doors/transaction-session';
import { emitEvents } from '@sightline/postgres/stores/events/outbox';
import { readOutbox } from '@sightline/postgres/stores/events/outbox-reader';
import { addFaces, openTestDoors, type TestDoors } from '../../support/fixtures/open-test-doors.ts';

const WRITERS = 12;
const DETECTIONS = 5;
const ROUNDS = 30;
const { floor, random } = Math;

let database: TestDoors;

beforeEach(async () => {
  database = await openTestDoors();
});

afterEach(async () => {
  await database[Symbol.asyncDispose]();
});

test('the outbox has the events of each of 5 detections in the order of 12 writers', async () => {
  const { doors, ours } = database;
  const ids = await doors.withEntities({ environmentId: ours, locks: [] }, (session) =>
    addFaces(session, ours, { count: DETECTIONS }),
  );
  await doors.withPlatform('maintenance', (session) => session.query('DELETE FROM outbox'));

  const follower = follow(WRITERS * ROUNDS);
  await Promise.all(
    Array.from({ length: WRITERS }, async (_, writer) => {
      for (let round = 0; round < ROUNDS; round++) {
        await change(ids[floor(random() * ids.length)]!, writer * ROUNDS + round);
      }
    }),
  );
  const followed = await follower;

  const inOrder = await database.owner.query<{ event_id: string }>(
    'SELECT event_id FROM outbox ORDER BY xid, id',
  );
  expect(inOrder.rows).toHaveLength(WRITERS * ROUNDS);
  // The follower saw all events during the writing, in order, and each event once.
  expect(followed.map(({ eventId }) => eventId)).toEqual(
    inOrder.rows.map(({ event_id }) => event_id),
  );

  const stories = Map.groupBy(followed.map(changeOf), ({ id }) => id);
  const rows = await doors.withScope({ environmentId: ours }, (session) =>
    session.query<{ id: number; value: number }>('SELECT id, class_id AS value FROM detections'),
  );
  for (const { id, value } of rows) {
    const story = stories.get(id)!;
    // Each change started from the value that the previous change had written.
    expect(story.slice(1).map(({ before }) => before)).toEqual(
      story.slice(0, -1).map(({ after }) => after),
    );
    expect(story.at(-1)!.after).toBe(value);
  }
});

/** The event of a writer's change. */
function changeOf(event: StoredEvent) {
  const data = DetectionLabeled.shape.data.parse(JSON.parse(event.data));
  const { detection_id: id, identity_id: before, external_ref: after } = data;
  return { id, before, after: Number(after) };
}

/**
 * Changes a detection. Some transactions pause before their first write, and some after their last
 * one, because only these pauses could reorder their events.
 */
async function change(id: number, after: number): Promise<void> {
  const { doors, ours } = database;
  const locks = [{ entity: 'detection' as const, id }];
  await doors.withEntities({ environmentId: ours, locks }, async (session) => {
    const [row] = await session.query<{ before: number | null }>(
      'SELECT class_id AS before FROM detections WHERE id = $1',
      [id],
    );
    await dawdle(session);
    await session.query('UPDATE detections SET class_id = $2 WHERE id = $1', [id, after]);
    await emitEvents(session, ours, [
      {
        event: 'detection_labeled',
        facts: { detectionId: id, type: 'face', identityId: row!.before, externalRef: `${after}` },
      },
    ]);
    await dawdle(session);
  });
}

async function dawdle(session: TransactionSession): Promise<void> {
  await session.query('SELECT pg_sleep($1)', [random() < 0.3 ? random() / 100 : 0]);
}

/**
 * Reads the outbox while others write, until it has seen this number of events. An empty read does
 * not mean the end, because other transactions may still be open.
 */
async function follow(count: number): Promise<readonly StoredEvent[]> {
  const seen: StoredEvent[] = [];
  let position: EventPosition = FIRST_POSITION;
  while (seen.length < count) {
    const events = await database.doors.withPlatform('events', (session) =>
      readOutbox(session, position, 7),
    );
    seen.push(...events);
    position = events.at(-1)?.position ?? position;
  }
  return seen;
}
