import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { TransactionSession } from '@sightline/postgres/doors/transaction-session';
import { PostgresMaintenanceStore } from '@sightline/postgres/stores/maintenance/maintenance';
import { addFaces, openTestDoors, type TestDoors } from '../../support/fixtures/open-test-doors.ts';

const { floor, random } = Math;

let database: TestDoors;
let modelId: number;

beforeEach(async () => {
  database = await openTestDoors();
  modelId = await database.doors.withPlatform('models', async (session) => {
    const [model] = await session.query<{ id: number }>(
      `INSERT INTO models (name, digest, task, version, license, commercial_use, provides, classes,
         embedding_dim, status)
       VALUES ('model', sha256('model'), 'face', '1', 'MIT', true, '{}', '{}', 1, 'downloaded')
       RETURNING id`,
    );
    return model!.id;
  });
  await database.owner.query(`INSERT INTO index_readers (name) VALUES ('shared')`);
});

afterEach(async () => {
  await database[Symbol.asyncDispose]();
});

describe('counters', () => {
  test('follow every change of a row, and only such', async () => {
    const ann = await addIdentity('Ann');
    const [face] = await write((session) =>
      addFaces(session, database.ours, { count: 3, identityId: ann }),
    );
    const counted = {
      face_identities: 1,
      face_detections: 3,
      source_images: 1,
      storage_bytes: 500 + 3 * 10,
      pending_review: 3,
      [`identity.detections ${ann}`]: 3,
      [`identity.pending_review ${ann}`]: 3,
    };
    expect(await counters()).toEqual(counted);

    await update(`review_status = 'confirmed'`, face!);
    expect(await counters()).toEqual({
      ...counted,
      pending_review: 2,
      [`identity.pending_review ${ann}`]: 2,
    });
    const before = await deltaCount();
    await update('confidence = 0.1', face!);
    expect(await deltaCount()).toBe(before);

    await update(`review_status = 'pending', dismissed_at = now(), identity_id = NULL`, face!);
    expect(await counters()).toEqual({
      ...counted,
      pending_review: 2,
      [`identity.detections ${ann}`]: 2,
      [`identity.pending_review ${ann}`]: 2,
    });
    await write((session) => session.query('DELETE FROM detections'));
    await write((session) => session.query('DELETE FROM source_images'));
    expect(await counters()).toEqual({ face_identities: 1 });
  });

  test('count references of each model', async () => {
    const ann = await addIdentity('Ann');
    const [face] = await write((session) =>
      addFaces(session, database.ours, { count: 1, identityId: ann }),
    );
    await addVector(face!);
    await enroll(face!, ann);
    expect(await counters()).toMatchObject({ [`identity.embeddings ${ann} ${modelId}`]: 1 });
    await write((session) => session.query('DELETE FROM face_references'));
    expect(await counters()).not.toHaveProperty([`identity.embeddings ${ann} ${modelId}`]);
  });

  test('stay the same when they are folded, while others write and fold', async () => {
    const maintenance = new PostgresMaintenanceStore(database.doors);
    const people = await Promise.all(['Ann', 'Ben', 'Cem'].map(addIdentity));
    let writing = true;
    const folding = Array.from({ length: 2 }, async () => {
      while (writing) await maintenance.foldCounters();
    });
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let i = 0; i < 40; i++) await changeSomething(people);
      }),
    );
    writing = false;
    await Promise.all(folding);
    const unfolded = await counters();
    expect(await recounted()).toEqual(unfolded);
    await maintenance.foldCounters();
    expect(await counters()).toEqual(unfolded);
    expect(await deltaCount()).toBe(Object.keys(unfolded).length);
  });
});

describe('changes of vectors', () => {
  test('are noted when a vector is added, gets another identity or is deleted', async () => {
    const ann = await addIdentity('Ann');
    const [face] = await write((session) => addFaces(session, database.ours, { count: 1 }));
    expect(await takeChanges()).toEqual([]);

    await addVector(face!);
    expect(await takeChanges()).toEqual([`faces ${face}`]);
    await update(`identity_id = ${ann}`, face!);
    expect(await takeChanges()).toEqual([`faces ${face}`]);
    await update('confidence = 0.5', face!);
    expect(await takeChanges()).toEqual([]);

    const reference = await enroll(face!, ann);
    expect(await takeChanges()).toEqual([`references ${reference}`]);
    await write((session) =>
      session.query(
        `INSERT INTO identity_means (environment_id, identity_id, model_id, reference_count, sum, mean)
         VALUES ($1, $2, $3, 1, '\\x00', '\\x00')`,
        [database.ours, ann, modelId],
      ),
    );
    expect(await takeChanges()).toEqual([`means ${ann}`]);
    await write((session) => session.query('UPDATE identity_means SET reference_count = 2'));
    expect(await takeChanges()).toEqual([]);
    await write((session) => session.query(`UPDATE identity_means SET mean = '\\x01'`));
    expect(await takeChanges()).toEqual([`means ${ann}`]);

    await write((session) => session.query('DELETE FROM face_references'));
    expect(await takeChanges()).toEqual([`references ${reference}`]);
    await write((session) => session.query('DELETE FROM identity_means'));
    expect(await takeChanges()).toEqual([`means ${ann}`]);
    // The vectors are deleted with their detections.
    await write((session) => session.query('DELETE FROM detections'));
    expect(await takeChanges()).toEqual([`faces ${face}`]);
  });

  test('are not noted by a transaction that failed', async () => {
    const [face] = await write((session) => addFaces(session, database.ours, { count: 1 }));
    await expect(
      write(async (session) => {
        await insertVector(session, face!);
        throw new Error('changed its mind');
      }),
    ).rejects.toThrow('changed its mind');
    expect(await takeChanges()).toEqual([]);
  });
});

function write<T>(work: (session: TransactionSession) => Promise<T>): Promise<T> {
  return database.doors.withEntities({ environmentId: database.ours, locks: [] }, work);
}

async function addIdentity(label: string): Promise<number> {
  const [identity] = await write((session) =>
    session.query<{ id: number }>(
      `INSERT INTO identities (environment_id, type, label) VALUES ($1, 'face', $2) RETURNING id`,
      [database.ours, label],
    ),
  );
  return identity!.id;
}

async function addVector(detectionId: number): Promise<void> {
  await write((session) => insertVector(session, detectionId));
}

async function insertVector(session: TransactionSession, detectionId: number): Promise<void> {
  await session.query(
    `INSERT INTO face_vectors (environment_id, detection_id, model_id, vector)
     VALUES ($1, $2, $3, '\\x00000000')`,
    [database.ours, detectionId, modelId],
  );
}

async function enroll(detectionId: number, identityId: number): Promise<number> {
  const [reference] = await write((session) =>
    session.query<{ id: number }>(
      `INSERT INTO face_references (environment_id, detection_id, identity_id, model_id)
       VALUES ($1, $2, $3, $4) RETURNING id`,
      [database.ours, detectionId, identityId, modelId],
    ),
  );
  return reference!.id;
}

async function update(assignments: string, detectionId: number): Promise<void> {
  await write((session) =>
    session.query(`UPDATE detections SET ${assignments} WHERE id = $1`, [detectionId]),
  );
}

async function changeSomething(people: readonly number[]): Promise<void> {
  const person = people[floor(random() * people.length)]!;
  const some = 'id IN (SELECT id FROM detections ORDER BY random() LIMIT 3)';
  const changes = [
    `UPDATE detections SET identity_id = ${person}, review_status = 'confirmed' WHERE ${some}`,
    `UPDATE detections SET identity_id = NULL, review_status = 'rejected' WHERE ${some}`,
    `UPDATE detections SET review_status = 'pending' WHERE ${some}`,
    `UPDATE detections SET dismissed_at = now() WHERE ${some}`,
    `DELETE FROM detections WHERE ${some}`,
  ];
  await write(async (session) => {
    if (random() < 0.4) {
      await addFaces(session, database.ours, { count: 4, identityId: person });
    } else await session.query(changes[floor(random() * changes.length)]!);
  });
}

async function deltaCount(): Promise<number> {
  const { rows } = await database.owner.query<{ count: string }>(
    `SELECT count(*) FROM counter_deltas WHERE counter NOT LIKE 'day.%'`,
  );
  return Number(rows[0]!.count);
}

/** Returns the counters of rows that are not 0, by name, with subject and model if they have them. */
async function counters(): Promise<Record<string, number>> {
  return counts(
    `SELECT concat_ws(' ', counter, nullif(subject_id, 0), nullif(model_id, 0)) AS name,
            sum(delta) AS amount
     FROM counter_deltas WHERE counter NOT LIKE 'day.%' GROUP BY 1 HAVING sum(delta) <> 0`,
  );
}

async function recounted(): Promise<Record<string, number>> {
  const pending = `review_status = 'pending' AND dismissed_at IS NULL`;
  return counts(
    `SELECT * FROM (
       SELECT 'face_identities' AS name, count(*) AS amount FROM identities
       UNION ALL SELECT 'source_images', count(*) FROM source_images
       UNION ALL SELECT 'face_detections', count(*) FROM detections
       UNION ALL SELECT 'pending_review', count(*) FROM detections WHERE ${pending}
       UNION ALL SELECT 'strangers', count(*) FROM detections
         WHERE type = 'face' AND identity_id IS NULL AND dismissed_at IS NULL
       UNION ALL SELECT 'storage_bytes', (SELECT sum(media_bytes) FROM source_images) +
         coalesce((SELECT sum(crop_bytes) FROM detections), 0)
       UNION ALL SELECT 'identity.detections ' || identity_id, count(*)
         FROM detections WHERE identity_id IS NOT NULL GROUP BY identity_id
       UNION ALL SELECT 'identity.pending_review ' || identity_id, count(*)
         FROM detections WHERE identity_id IS NOT NULL AND ${pending} GROUP BY identity_id
     ) AS counted WHERE amount <> 0`,
  );
}

async function counts(text: string): Promise<Record<string, number>> {
  const { rows } = await database.owner.query<{ name: string; amount: string }>(text);
  return Object.fromEntries(rows.map(({ name, amount }) => [name, Number(amount)]));
}

/** Returns the changes that were recorded since the last call. */
async function takeChanges(): Promise<readonly string[]> {
  const { rows } = await database.owner.query<{ change: string }>(
    `WITH taken AS (DELETE FROM vector_changes RETURNING *)
     SELECT kind || ' ' || entity_id AS change FROM taken ORDER BY id`,
  );
  return rows.map(({ change }) => change);
}
