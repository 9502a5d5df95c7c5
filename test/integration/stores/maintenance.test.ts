import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DomainEvent } from '@sightline/core/events/domain-event';
import { FIRST_POSITION } from '@sightline/core/events/stored-event';
import type { Statistics } from '@sightline/core/statistics/statistics-store';
import pg from 'pg';
import { RegisteredWebhooks } from '../../support/fixtures/registered-webhooks.ts';
import { sampleFace, sampleSource } from '../../support/fixtures/sample-records.ts';
import {
  AN_OBJECT,
  direction,
  type SeededEnvironment,
} from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let home: SeededEnvironment;
let ada: number;

beforeAll(async () => {
  store = await openStoreFixture();
});

beforeEach(async () => {
  home = await store.environment();
  ada = await home.identity('Ada');
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

const enrolled = (degrees: number) => ({
  identityId: ada,
  reviewStatus: 'confirmed' as const,
  embedding: { modelId: store.faceModelId, vector: direction(degrees) },
  enrolledBy: [store.faceModelId],
});

describe('folding the counters', () => {
  const totals = (): Promise<Statistics> =>
    store.database.withScope(home.scope, ({ statistics }) => statistics.totals());
  const deltas = async (): Promise<number> =>
    (
      await store.query<{ counter: string }>(
        'SELECT counter FROM counter_deltas WHERE environment_id = $1',
        [home.scope.environmentId],
      )
    ).length;

  test('leaves one row of each and changes no count', async () => {
    for (let i = 0; i < 3; i++) await home.photo([enrolled(i), {}]);
    const before = await totals();
    const rows = await deltas();
    const [added] = await store.query<{ rows: number }>(
      'SELECT count(*) AS rows FROM counter_deltas WHERE NOT is_folded',
    );
    expect(await store.maintenance.foldCounters()).toBe(added!.rows);
    expect(await deltas()).toBeLessThan(rows);
    expect(await totals()).toEqual(before);
    expect(await store.maintenance.foldCounters()).toBe(0);
  });

  test('leaves no row for a count of zero', async () => {
    const { ids } = await home.photo([{}]);
    const face = (await home.detection(ids[0]!))!;
    await store.database.withEntities({ ...home.scope, locks: [] }, (tx) =>
      tx.detections.delete([face]),
    );
    await store.maintenance.foldCounters();
    const left = await store.query<{ counter: string }>(
      'SELECT counter FROM counter_deltas WHERE environment_id = $1 ORDER BY counter',
      [home.scope.environmentId],
    );
    // The day keeps what happened on it.
    expect(left.map(({ counter }) => counter)).toEqual([
      'day.faces',
      'day.images',
      'face_identities',
      'source_images',
      'storage_bytes',
    ]);
  });

  test('by many at once, beside writers, loses nothing', async () => {
    await Promise.all([
      ...Array.from({ length: 6 }, () => home.photo([{}, {}])),
      ...Array.from({ length: 6 }, () => store.maintenance.foldCounters()),
    ]);
    expect(await totals()).toMatchObject({ sourceImages: 6, faceDetections: 12 });
    await store.maintenance.foldCounters();
    expect(await totals()).toMatchObject({ sourceImages: 6, faceDetections: 12 });
  });
});

describe('the outbox', () => {
  const event: DomainEvent = { event: 'identity_deleted', facts: { identityId: 1 } };
  const emit = (count: number): Promise<void> =>
    store.database.withEntities({ ...home.scope, locks: [] }, (tx) =>
      tx.emit(...Array.from({ length: count }, () => event)),
    );
  const makeOlder = (hours: number): Promise<unknown> =>
    store.query('UPDATE outbox SET created_at = created_at - make_interval(hours => $1)', [hours]);

  const eventCount = async (): Promise<number> =>
    (await store.query<{ rows: number }>('SELECT count(*) AS rows FROM outbox'))[0]!.rows;
  const horizon = async (): Promise<number> =>
    (await store.maintenance.outboxState()).horizonAgeSeconds;

  beforeEach(async () => {
    await store.query('DELETE FROM outbox');
  });

  const CONSUMERS = ['feed', 'webhooks'] as const;
  const nothing = () => Promise.resolve();
  const consume = async (...consumers: readonly (typeof CONSUMERS)[number][]): Promise<void> => {
    for (const consumer of consumers) {
      let more: readonly number[] = [home.scope.environmentId];
      while (more.length > 0) {
        more = await store.consumers.catchUp({ consumer, consume: nothing }, more);
      }
    }
  };

  test('loses all older events, and nothing else', async () => {
    await emit(3);
    await makeOlder(2);
    await emit(2);
    await consume(...CONSUMERS);
    expect(await store.maintenance.pruneOutbox(3)).toBe(0);
    expect(await store.maintenance.pruneOutbox(1)).toBe(3);
    expect(await eventCount()).toBe(2);

    await emit(20_500);
    await makeOlder(2);
    await consume(...CONSUMERS);
    expect(await store.maintenance.pruneOutbox(1)).toBe(20_502);
    expect(await eventCount()).toBe(0);
  });

  test('keeps what a consumer, or the relay, has not taken', async () => {
    await emit(3);
    await makeOlder(48);
    const [last] = (await store.outbox.read(FIRST_POSITION, 10)).events.slice(-1);
    expect(await store.maintenance.pruneOutbox(1)).toBe(0);
    await consume('feed');
    expect(await store.maintenance.pruneOutbox(1)).toBe(0);
    await consume('webhooks');
    const { xid, id } = last!.position;
    const relay = `INSERT INTO relay_positions (topic, xid, id) VALUES ('events', $1, $2)`;
    await store.query(relay, [xid, id - 1]);
    expect(await store.maintenance.pruneOutbox(1)).toBe(2);
    // A relay that has made no progress for a week counts as lost.
    await store.query("UPDATE relay_positions SET moved_at = now() - interval '8 days'");
    expect(await store.maintenance.pruneOutbox(1)).toBe(1);
    await store.query('DELETE FROM relay_positions');
  });

  test('keeps what an active webhook wants and has not been sent', async () => {
    const webhooks = new RegisteredWebhooks(store, home.scope);
    const id = await webhooks.register('http://sink.test/');
    await emit(3);
    await makeOlder(48);
    await consume(...CONSUMERS);
    const { webhooks: held } = await store.deliveries.hold({
      after: null,
      read: 99,
      most: 99,
      limit: 99,
      share: 99,
      failing: { limit: 99, share: 99, after: 3 },
      held: [],
      seconds: 60,
    });
    const webhook = held.find((each) => each.id === id)!;
    const page = { after: webhook.position, limit: 1, bytes: 1 };
    let read = await store.deliveries.events(webhook, page);
    // An open transaction of another database may delay the appearance of the events for a short time.
    while (read.events.length === 0) read = await store.deliveries.events(webhook, page);
    await store.deliveries.release(webhook, read.end);
    expect(await store.maintenance.pruneOutbox(1)).toBe(1);
    await webhooks.change(id, { events: ['job.done'] });
    expect(await store.maintenance.pruneOutbox(1)).toBe(2);
    await emit(2);
    await makeOlder(48);
    await consume(...CONSUMERS);
    await webhooks.change(id, { events: [] });
    expect(await store.maintenance.pruneOutbox(1)).toBe(0);
    await webhooks.change(id, { isActive: false });
    expect(await store.maintenance.pruneOutbox(1)).toBe(2);
  });

  test('is measured without being counted', async () => {
    // A vacuum in between would replace the count of ANALYZE by an estimate.
    await store.query('ALTER TABLE outbox SET (autovacuum_enabled = false)');
    await emit(500);
    await store.query('ANALYZE outbox');
    // Postgres may learn of deletions of earlier tests after the analysis, and subtract them once more.
    expect((await store.maintenance.outboxState()).rows).toBeGreaterThan(400);
  });

  test('has the horizon of the oldest transaction that writes', async () => {
    const secondsSince = (moment: number): number => (performance.now() - moment) / 1000;
    const before = performance.now();
    await store.database.withEntities({ ...home.scope, locks: [] }, async (tx) => {
      await tx.emit(event);
      const since = performance.now();
      // The horizon is at least as old as the open transaction. Transactions of other databases can only make it
      // older.
      for (let age = 0; age < 0.05;) {
        age = secondsSince(since);
        expect(await horizon()).toBeGreaterThanOrEqual(age);
      }
    });
    // Waits until the horizon is younger than the test. Transactions of other databases may delay that until they
    // end.
    while ((await horizon()) >= secondsSince(before));
  });

  /**
   * Runs work during an open transaction of another role. The service's roles may not see that role's activity.
   */
  const withOpenTransaction = async (work: () => Promise<void>): Promise<void> => {
    const other = new pg.Client(store.connection);
    await other.connect();
    try {
      await other.query('BEGIN; SELECT pg_current_xact_id()');
      await work();
    } finally {
      await other.end();
    }
  };

  test('has that of a transaction of another role, too', async () => {
    await withOpenTransaction(async () => {
      expect(await horizon()).toBeGreaterThan(0);
    });
  });

  test('where the owner may not see how old it is, has that of the first event after it', async () => {
    await store.query('GRANT CREATE ON SCHEMA public TO sightline_platform');
    await store.query('ALTER FUNCTION horizon_age() OWNER TO sightline_platform');
    await withOpenTransaction(async () => {
      expect(await horizon()).toBe(0);
      await emit(1);
      await makeOlder(1);
      expect(await horizon()).toBeGreaterThan(3600);
    });
  });
});

test('old stored answers are pruned, except those of requests in progress', async () => {
  await store.query('DELETE FROM idempotency_keys');
  const fingerprint = new Uint8Array(32);
  const claim = async (key: string) => {
    const outcome = await store.idempotency.claim(home.scope, {
      key,
      formerKey: null,
      fingerprint,
    });
    if (outcome.outcome !== 'claimed') throw new Error(outcome.outcome);
    return outcome.claim;
  };
  const old = await claim('old');
  await claim('runs');
  await claim('died');
  await store.database.withEntities({ ...home.scope, locks: [] }, (tx) =>
    tx.complete(old, { status: 200, body: {} }),
  );
  await store.query(`UPDATE idempotency_keys SET created_at = now() - interval '25 hours'`);
  await store.query(
    `UPDATE idempotency_keys SET lease_until = now() - interval '1 hour' WHERE key <> 'runs'`,
  );
  await claim('new');
  expect(await store.maintenance.pruneIdempotencyKeys(26)).toBe(0);
  expect(await store.maintenance.pruneIdempotencyKeys(24)).toBe(2);
  const left = await store.query<{ key: string }>('SELECT key FROM idempotency_keys ORDER BY key');
  expect(left.map(({ key }) => key)).toEqual(['new', 'runs']);
});

test('media keys are those of images, crops and jobs, in pages; others are orphans', async () => {
  const originalKey = `${home.scope.environmentId}/originals/one`;
  const image = sampleSource(home.scope, { originalKey });
  const crops = [sampleFace(home.scope), sampleFace(home.scope)];
  await store.database.withEntities({ ...home.scope, locks: [] }, async (tx) => {
    const source = await tx.sources.insert(image);
    await tx.detections.insert(source, crops);
  });
  const [uploadKey, resultsKey] = ['uploads', 'archives'].map(
    (kind) => `${home.scope.environmentId}/${kind}/one`,
  );
  await store.query(
    `WITH job AS (
       INSERT INTO jobs (environment_id, type, status, total, params, results_key)
       VALUES ($1, 'bulk_detect', 'pending', 1, '{}', $3) RETURNING environment_id, id)
     INSERT INTO job_items (environment_id, job_id, index, input, upload_key)
     SELECT environment_id, id, 0, '{}', $2 FROM job`,
    [home.scope.environmentId, uploadKey, resultsKey],
  );
  const ofImage = [image.mediaKey, originalKey, ...crops.map(({ cropKey }) => cropKey)];
  const ours = [...ofImage, uploadKey!, resultsKey!].sort();

  const pages: string[] = [];
  for (let after = ''; ;) {
    const page = await store.maintenance.mediaKeys({ after, limit: 2 });
    if (page.length === 0) break;
    expect(page.length).toBeLessThanOrEqual(2);
    pages.push(...page);
    after = page.at(-1)!;
  }
  expect(pages).toEqual([...pages].sort());
  expect(new Set(pages).size).toBe(pages.length);
  expect(pages.filter((key) => key.startsWith(`${home.scope.environmentId}/`))).toEqual(ours);

  const orphans = [`${home.scope.environmentId}/crops/orphan`, "quote' or true --"];
  expect(await store.maintenance.orphans([orphans[0]!, ...ours, orphans[1]!])).toEqual(orphans);
  expect(await store.maintenance.orphans([])).toEqual([]);
});

describe('contradictions', () => {
  /** Contradictions that only damage or a defect can cause. */
  const DAMAGE: readonly (readonly [string, string, RegExp])[] = [
    ['a counter', `DELETE FROM counter_deltas WHERE counter = 'face_detections'`, /counts 0 of/],
    [
      'a count of references',
      'UPDATE identity_means SET reference_count = 9 WHERE identity_id = $1',
      /a mean of 9 references of model \d+, there are 2/,
    ],
    [
      'a mean',
      `UPDATE identity_means SET mean = decode('0000803f00000000', 'hex') WHERE identity_id = $1`,
      /The mean of identity \d+ .* differs from the mean of its references/,
    ],
    [
      'a sum',
      `UPDATE identity_means SET sum = decode(repeat('00', 16), 'hex') WHERE identity_id = $1`,
      /The mean of identity \d+ .* differs from the mean of its references/,
    ],
    [
      'a missing mean',
      'DELETE FROM identity_means WHERE identity_id = $1',
      /a mean of 0 references/,
    ],
    [
      'a reference without a vector',
      'DELETE FROM face_vectors WHERE detection_id = $2',
      /has no vector of detection/,
    ],
    [
      'a reference of another identity than its face',
      'UPDATE detections SET identity_id = NULL, review_status = $$pending$$ WHERE id = $2',
      /belongs to identity \d+, but its detection \d+ to no identity \(pending\)/,
    ],
    [
      'a cover of another identity',
      'UPDATE identities SET cover_detection_id = $3 WHERE id = $1',
      /The cover of identity \d+ is detection \d+, which belongs to no identity/,
    ],
    [
      'an object that is a person',
      'UPDATE detections SET identity_id = $1 WHERE id = $4',
      /has type object, but its identity \d+ has type face/,
    ],
    [
      'a confirmed stranger',
      `UPDATE detections SET review_status = 'confirmed' WHERE id = $3`,
      /is confirmed without an identity/,
    ],
    [
      'an identity from which the face was rejected',
      `INSERT INTO rejected_pairs (environment_id, detection_id, identity_id) VALUES ($5, $2, $1)`,
      /from which it was rejected/,
    ],
    [
      'an object with a vector',
      'UPDATE detections SET type = $$object$$ WHERE id = $2',
      /is an object and has a vector/,
    ],
    [
      'a short vector',
      `UPDATE face_vectors SET vector = '\\x00000000' WHERE detection_id = $2`,
      /has 4 bytes/,
    ],
    [
      'an empty image',
      'UPDATE source_images SET stored_width = 0 WHERE environment_id = $5',
      /has an empty side/,
    ],
    [
      'a file of another environment',
      `UPDATE detections SET crop_key = '9999999/crops/x' WHERE id = $2`,
      /has the name of another environment/,
    ],
    [
      'a backlog without a job that ends it',
      `WITH job AS (
         INSERT INTO jobs (environment_id, type, status, params, total)
         VALUES ($5, 'reembed', 'done', '{}', 0) RETURNING environment_id, id)
       INSERT INTO embedding_backlogs (environment_id, model_id, job_id)
       SELECT job.environment_id, models.id, job.id FROM job, models LIMIT 1`,
      /Matching in environment \d+ waits for job \d+, which has ended/,
    ],
    [
      'a job that counts what its items are not',
      `WITH job AS (
         INSERT INTO jobs (environment_id, type, status, params, total, done)
         VALUES ($5, 'reprocess', 'running', '{}', 2, 1) RETURNING environment_id, id)
       INSERT INTO job_items (environment_id, job_id, index, input, state)
       SELECT environment_id, id, i, '{}', 'pending' FROM job, generate_series(0, 1) AS i`,
      /Job \d+ counts 1 done and 0 failed of 2, but its items are 0 and 0 of 2/,
    ],
    [
      'a job that ended before its items',
      `WITH job AS (
         INSERT INTO jobs (environment_id, type, status, params, total, done, finished_at)
         VALUES ($5, 'export', 'done', '{}', 1, 1, now()) RETURNING environment_id, id)
       INSERT INTO job_items (environment_id, job_id, index, input)
       SELECT environment_id, id, 0, '{}' FROM job`,
      /Job \d+ is done, and 1 of its items have not ended/,
    ],
    [
      'a job that ended before all was done',
      `INSERT INTO jobs (environment_id, type, status, params, total, done, finished_at, is_pruned)
       VALUES ($5, 'export', 'done', '{}', 3, 1, now(), true)`,
      /Job \d+ is done with 1 done and 0 failed of 3/,
    ],
    [
      'a job that was not announced',
      `INSERT INTO jobs (environment_id, type, status, params, total, finished_at, is_pruned)
       VALUES ($5, 'export', 'done', '{}', 0, now(), true)`,
      /Job \d+ has ended, but has 0 events of its end/,
    ],
    [
      'a face in the queue with a suggestion that is not there',
      `INSERT INTO suggested_faces
         (environment_id, detection_id, model_id, confidence, detected_at, similarity, identity_id)
       SELECT $5, $3, id, 0.9, now(), 0.5, 7 FROM models LIMIT 1`,
      /is in the queue with similarity 0.5 of identity 7, but suggestions of model \d+ give none of none/,
    ],
  ];

  test.each(DAMAGE)('report %s', async (_, damage, sentence) => {
    const { ids } = await home.photo([enrolled(10), enrolled(50), {}, AN_OBJECT]);
    expect(await store.maintenance.contradictions()).toEqual([]);
    const values = [ada, ids[0]!, ids[2]!, ids[3]!, home.scope.environmentId];
    // Skips triggers and foreign keys, which would correct the counters or refuse some of the rows.
    await asDamage(damage, values);
    const found = await store.maintenance.contradictions();
    expect(found).toEqual(expect.arrayContaining([expect.stringMatching(sentence)]));
    await clear();
    expect(await store.maintenance.contradictions()).toEqual([]);
  });

  test('in means are found beyond the first page', async () => {
    for (let i = 0; i < 3; i++) {
      ada = await home.identity(`number ${i}`);
      await home.photo([enrolled(i)]);
    }
    await store.query(
      `INSERT INTO identities (environment_id, type, label)
       SELECT $1, 'face', 'many ' || n FROM generate_series(1, 450) AS n`,
      [home.scope.environmentId],
    );
    await asDamage(
      `INSERT INTO identity_means (environment_id, identity_id, model_id, reference_count, sum)
       SELECT environment_id, id, ${store.faceModelId}, 1, '\\x' FROM identities
       WHERE environment_id = $5 AND label LIKE 'many %'`,
      [0, 0, 0, 0, home.scope.environmentId],
    );
    const found = await store.maintenance.contradictions();
    const means = found.filter((sentence) => sentence.startsWith('The mean of'));
    expect(means).toHaveLength(450);
    await clear();
  });

  async function asDamage(statement: string, values: readonly number[]): Promise<void> {
    const used = values.map((value, i) => [`$${i + 1}`, String(value)] as const);
    const text = used.reduce((sql, [name, value]) => sql.replaceAll(name, value), statement);
    await store.query(
      `SET session_replication_role = replica; ${text}; RESET session_replication_role`,
    );
  }

  async function clear(): Promise<void> {
    await store.query(
      `TRUNCATE source_images, detections, identities, face_vectors, face_references,
         identity_means, rejected_pairs, suggestions, counter_deltas, jobs CASCADE`,
    );
  }
});
