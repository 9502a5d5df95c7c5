import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { VectorChange } from '@sightline/core/vectors/change-log';
import type { VectorKind, VectorSpace } from '@sightline/core/vectors/vector-index';
import { PostgresChangeLog } from '@sightline/postgres/stores/vectors/change-log';
import { PostgresIndexSource } from '@sightline/postgres/stores/vectors/index-source';
import { indexStatusStore } from '@sightline/postgres/stores/vectors/index-status';
import pg from 'pg';
import { addFaces, openTestDoors, type TestDoors } from '../../support/fixtures/open-test-doors.ts';

let database: TestDoors;
let log: PostgresChangeLog;
let modelId: number;
let ann: number;
let ben: number;
/** The ids of faces with a vector each. The first one is enrolled under Ann, who has a mean. */
let faces: readonly number[];

beforeEach(async () => {
  database = await openTestDoors();
  log = new PostgresChangeLog(database.doors, 'reader');
  const { ours } = database;
  await database.doors.withPlatform('models', async (session) => {
    const [model] = await session.query<{ id: number }>(
      `INSERT INTO models (name, digest, task, version, license, commercial_use, provides, classes,
         embedding_dim, status)
       VALUES ('model', sha256('model'), 'face', '1', 'MIT', true, '{}', '{}', 1, 'downloaded')
       RETURNING id`,
    );
    modelId = model!.id;
    const people = await session.query<{ id: number }>(
      `INSERT INTO identities (environment_id, type, label)
       VALUES ($1, 'face', 'Ann'), ($1, 'face', 'Ben') RETURNING id`,
      [ours],
    );
    [ann, ben] = people.map(({ id }) => id) as [number, number];
    faces = await addFaces(session, ours, { count: 3 });
  });
  await asOwner(`
    INSERT INTO face_vectors (environment_id, detection_id, model_id, vector)
      SELECT ${ours}, id, ${modelId}, '\\x0000803f' FROM unnest(ARRAY[${faces.join()}]) AS f (id);
    INSERT INTO face_references (environment_id, identity_id, detection_id, model_id)
      VALUES (${ours}, ${ann}, ${faces[0]!}, ${modelId});
    INSERT INTO identity_means VALUES (${ours}, ${ann}, ${modelId}, 1, '\\x00', '\\x0000803f')`);
});

afterEach(async () => {
  await database[Symbol.asyncDispose]();
});

const asOwner = (text: string) => database.owner.query(text);

const space = (kind: VectorKind): VectorSpace => ({
  environmentId: database.ours,
  modelId,
  kind,
  dimension: 1,
});

/** Returns the distinct changes that were recorded for the reader, such as `faces 7`. */
async function noted(of = log): Promise<readonly string[]> {
  const changes = await of.changes(100);
  return [...new Set(changes.map(nameOf))].sort();
}

const nameOf = ({ space: { kind }, entityId }: VectorChange) => `${kind} ${entityId}`;

async function connected(): Promise<pg.Client & AsyncDisposable> {
  const client = new pg.Client(database.connection);
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

/** The statements for each trigger and operation, with the change that each records. */
const WRITES: readonly (readonly [string, () => string, () => string | Promise<string>])[] = [
  [
    'a vector that appears',
    () => `INSERT INTO face_vectors SELECT environment_id, detection_id, ${modelId + 1}, vector
             FROM face_vectors WHERE detection_id = ${faces[1]!}`,
    () => `faces ${faces[1]!}`,
  ],
  [
    'a vector that changes',
    () => `UPDATE face_vectors SET vector = '\\x000080bf' WHERE detection_id = ${faces[1]!}`,
    () => `faces ${faces[1]!}`,
  ],
  [
    'a vector that goes',
    () => `DELETE FROM face_vectors WHERE detection_id = ${faces[1]!}`,
    () => `faces ${faces[1]!}`,
  ],
  [
    'a face that changes hands',
    () => `UPDATE detections SET identity_id = ${ben} WHERE id = ${faces[1]!}`,
    () => `faces ${faces[1]!}`,
  ],
  [
    'a reference that appears',
    () => `INSERT INTO face_references (environment_id, identity_id, detection_id, model_id)
             VALUES (${database.ours}, ${ben}, ${faces[2]!}, ${modelId})`,
    async () => `references ${await lastReference()}`,
  ],
  [
    'a reference that changes hands',
    () => `UPDATE face_references SET identity_id = ${ben}`,
    () => 'references 1',
  ],
  ['a reference that goes', () => 'DELETE FROM face_references', () => 'references 1'],
  [
    'a mean that appears',
    () => `INSERT INTO identity_means
             VALUES (${database.ours}, ${ben}, ${modelId}, 1, '\\x00', '\\x0000803f')`,
    () => `means ${ben}`,
  ],
  [
    'a mean that changes',
    () => `UPDATE identity_means SET mean = '\\x000080bf'`,
    () => `means ${ann}`,
  ],
  ['a mean that goes', () => 'DELETE FROM identity_means', () => `means ${ann}`],
];

async function lastReference(): Promise<number> {
  const { rows } = await database.owner.query<{ id: string }>(
    'SELECT max(id) AS id FROM face_references',
  );
  return Number(rows[0]!.id);
}

describe('a writer that began before the reader followed', () => {
  beforeEach(async () => {
    await asOwner(`INSERT INTO models (name, digest, task, version, license, commercial_use, provides,
        classes, embedding_dim, status)
      VALUES ('other', sha256('other'), 'face', '1', 'MIT', true, '{}', '{}', 1, 'downloaded')`);
  });

  test.each(WRITES)('and wrote before is awaited: %s', async (_, write) => {
    await using writer = await connected();
    const before = await contents();
    await writer.query('BEGIN');
    await writer.query(write());
    let isFollowing = true;
    const followed = log.follow().then(() => (isFollowing = false));
    await untilRegistered();
    // `follow` waits for the open transaction, however often the state is polled.
    for (let poll = 0; poll < 30; poll++) await log.state();
    expect(isFollowing).toBe(true);
    expect(await contents()).toEqual(before);
    await writer.query('COMMIT');
    await followed;
    // The log did not record the change. That is harmless: `follow` ends only after the commit, so the scan that
    // fills the index afterwards reads the change.
    expect(await noted()).toEqual([]);
    expect(await contents()).not.toEqual(before);
  });

  test.each(WRITES)('and writes after is noted: %s', async (_, write, change) => {
    await using writer = await connected();
    await using idle = await connected();
    await writer.query('BEGIN');
    await idle.query('BEGIN; SELECT FROM face_vectors');
    await writer.query('SELECT pg_current_xact_id()');
    const followed = log.follow();
    await untilRegistered();
    await writer.query(write());
    await writer.query('COMMIT');
    await followed;
    expect(await noted()).toEqual([await change()]);
    // The idle transaction had written nothing and so had no transaction id; `follow` did not wait for it. Its later
    // write is recorded.
    await log.acknowledge(await log.changes(100));
    await idle.query(`UPDATE face_vectors SET vector = '\\x00000040' WHERE model_id = ${modelId}`);
    await idle.query('COMMIT');
    expect(await noted()).not.toEqual([]);
  });

  /** Waits until another connection sees the reader as registered. */
  async function untilRegistered(): Promise<void> {
    while ((await log.state()) === 'missing');
  }

  /** Returns all rows from which indexes are filled. */
  async function contents(): Promise<unknown> {
    const { rows } = await database.owner.query(
      `SELECT (SELECT json_agg(v ORDER BY v.detection_id, v.model_id) FROM face_vectors v) AS faces,
              (SELECT json_agg(d.identity_id ORDER BY d.id) FROM detections d) AS hands,
              (SELECT json_agg(r ORDER BY r.id) FROM face_references r) AS references,
              (SELECT json_agg(m ORDER BY m.identity_id) FROM identity_means m) AS means`,
    );
    return rows;
  }

  test('in another database of the cluster is ignored', async () => {
    await using other = await openTestDoors();
    await using writer = Object.assign(new pg.Client(other.connection), {
      [Symbol.asyncDispose]: () => writer.end(),
    });
    await writer.connect();
    await writer.query('BEGIN; SELECT pg_current_xact_id()');
    await log.follow();
    await writer.query('COMMIT');
  });

  test('and never ends: following can be aborted', async () => {
    await using writer = await connected();
    await writer.query('BEGIN; SELECT pg_current_xact_id()');
    const controller = new AbortController();
    const following = log.follow(controller.signal);
    await untilRegistered();
    controller.abort(new Error('cancelled by the test'));
    await expect(following).rejects.toThrow();
    await writer.query('ROLLBACK');
  });
});

describe('a reader', () => {
  const state = () => log.state();

  test('is missing, unfilled, filled, asked for a rebuild, and filled again', async () => {
    const status = indexStatusStore(database.doors);
    expect(await state()).toBe('missing');
    expect(await log.filled()).toBe(false);
    expect(await log.keepAlive(null)).toBe('missing');
    expect(await status.requestRebuild()).toBe(0);
    await log.follow();
    expect(await state()).toBe('unfilled');
    expect(await log.keepAlive(7)).toBe('unfilled');
    expect(await status.readers()).toEqual([
      {
        name: 'reader',
        oldestSeconds: 0,
        state: 'unfilled',
        backlog: 0,
        filling: 7,
        filledAt: null,
        comparedAt: null,
        drift: null,
        lastSeenAt: expect.any(Date),
        unseenSeconds: expect.any(Number),
      },
    ]);
    expect(await log.filled()).toBe(true);
    expect(await log.keepAlive(null)).toBe('filled');
    expect(await status.requestRebuild('another')).toBe(0);
    expect(await status.requestRebuild('reader')).toBe(1);
    expect(await state()).toBe('rebuild_requested');
    expect(await log.filled()).toBe(true);
    expect(await state()).toBe('filled');
    const drift = { missing: 1, extra: 2, stale: 3 };
    await log.compared(drift);
    expect(await status.readers()).toMatchObject([
      { state: 'filled', drift, comparedAt: expect.any(Date), filledAt: expect.any(Date) },
    ]);
    await log.leave();
    expect(await state()).toBe('missing');
    await log.compared(drift);
    expect(await status.readers()).toEqual([]);
  });

  test('that registers again has no notes, and an earlier fill does not count', async () => {
    await log.follow();
    await log.filled();
    await log.note(space('faces'), faces);
    expect(await noted()).toHaveLength(3);
    const successor = new PostgresChangeLog(database.doors, 'reader');
    expect(await noted(successor)).toHaveLength(3);
    await successor.follow();
    expect(await noted()).toEqual([]);
    expect(await log.backlog()).toBe(0);
    expect(await log.filled()).toBe(false);
    expect(await state()).toBe('unfilled');
    expect(await successor.filled()).toBe(true);
  });

  test('has notes of its own', async () => {
    const other = new PostgresChangeLog(database.doors, 'other');
    await log.follow();
    await other.follow();
    await asOwner(`UPDATE detections SET identity_id = ${ben} WHERE id = ${faces[1]!}`);
    expect(await noted()).toEqual([`faces ${faces[1]!}`]);
    expect(await noted(other)).toEqual([`faces ${faces[1]!}`]);
    const changes = await log.changes(100);
    expect(await other.acknowledge(changes)).toBe(0);
    expect(await log.acknowledge(changes)).toBe(1);
    expect(await log.acknowledge(changes)).toBe(0);
    expect(await noted()).toEqual([]);
    expect(await noted(other)).toEqual([`faces ${faces[1]!}`]);
    await log.note(space('faces'), [faces[2]!]);
    expect([await log.backlog(), await other.backlog()]).toEqual([1, 1]);
    await other.leave();
    await log.note(space('faces'), [faces[2]!]);
    expect([await log.backlog(), await other.backlog()]).toEqual([2, 0]);
  });

  test('without heartbeats is removed with its notes, the shared one later', async () => {
    const status = indexStatusStore(database.doors);
    const shared = new PostgresChangeLog(database.doors, 'shared');
    const dead = new PostgresChangeLog(database.doors, 'dead');
    for (const each of [log, shared, dead]) {
      await each.follow();
      await each.note(space('faces'), faces);
    }
    await asOwner(`UPDATE index_readers SET last_seen_at = now() - interval '90 seconds'`);
    await log.keepAlive(null);
    expect(await status.forgetReaders({ own: 60, shared: 3600 })).toBe(1);
    expect(await dead.state()).toBe('missing');
    expect([await log.backlog(), await shared.backlog()]).toEqual([3, 3]);
    expect(await countNotes()).toBe(6);
    expect(await status.forgetReaders({ own: 60, shared: 60 })).toBe(1);
    expect(await countNotes()).toBe(3);
    expect(await status.forgetReaders({ own: 60, shared: 60 })).toBe(0);
  });

  test('that is removed while a writer is in progress leaves nothing behind', async () => {
    await log.follow();
    await using writer = await connected();
    await writer.query('BEGIN');
    await writer.query(`UPDATE detections SET identity_id = ${ben} WHERE id = ${faces[1]!}`);
    await log.leave();
    await writer.query('COMMIT');
    expect(await countNotes()).toBe(1);
    const status = indexStatusStore(database.doors);
    expect(await status.forgetReaders({ own: 60, shared: 60 })).toBe(0);
    expect(await countNotes()).toBe(0);
  });

  test('finds earlier rows by its scan', async () => {
    await log.follow();
    const source = new PostgresIndexSource(database.doors);
    const points = await source.list(space('faces'), { after: 0, limit: 10 });
    expect(points.map(({ id }) => id)).toEqual(faces);
  });
});

async function countNotes(): Promise<number> {
  const { rows } = await database.owner.query<{ count: string }>(
    'SELECT count(*) FROM vector_changes',
  );
  return Number(rows[0]!.count);
}
