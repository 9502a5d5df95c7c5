import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startBulkDetections } from '@sightline/core/curation/bulk/start-bulk-detections';
import { startBulkImages } from '@sightline/core/curation/bulk/start-bulk-images';
import {
  startBulkReview,
  startGroupDecision,
} from '@sightline/core/curation/bulk/start-bulk-review';
import { startUndo } from '@sightline/core/curation/bulk/start-undo';
import { undoOperation } from '@sightline/core/curation/undo-operation';
import type { Database } from '@sightline/core/database/database';
import { cancelJob } from '@sightline/core/administration/cancel-job';
import type { DetectionFilter } from '@sightline/core/store/detection-filter';
import type { Job } from '@sightline/core/jobs/job';
import { CurrentOperation, type OperationKind } from '@sightline/core/store/current-operation';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { bulkDetectionsJob } from '@sightline/background/worker/jobs/bulk-detections-job';
import { bulkImagesJob } from '@sightline/background/worker/jobs/bulk-images-job';
import { bulkReviewJob } from '@sightline/background/worker/jobs/bulk-review-job';
import { undoJob } from '@sightline/background/worker/jobs/undo-job';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import {
  openRecognition,
  type RecognitionFixture,
} from '../../support/fixtures/recognition-fixture.ts';
import { runItem } from '../../support/fixtures/run-jobs.ts';
import { killHolders } from '../../support/fixtures/seed-jobs.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';

let fixture: RecognitionFixture;
let home: SeededEnvironment;

beforeAll(async () => {
  fixture = await openRecognition();
});
beforeEach(async () => {
  home = await fixture.store.environment();
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

/** A request that begins an operation of a kind. */
const request = (kind: OperationKind) => ({
  ...home.scope,
  actor: { kind: 'request', accountId: null, keyId: 7, requestId: 'r' } as const,
  operation: new CurrentOperation(kind),
});

function works(database: Database = fixture.store.database) {
  const process = { ...fixture.process({ database }), imageLimits: DEFAULT_IMAGE_LIMITS };
  return {
    bulk_review: bulkReviewJob({ database, models: fixture.store.models }),
    bulk_detections: bulkDetectionsJob({ ...process, models: fixture.store.models }),
    bulk_images: bulkImagesJob(process),
    undo: undoJob(process),
  };
}

async function workOff(): Promise<void> {
  while (await runItem(fixture.store, works()));
}

const read = <T>(of: Parameters<typeof fixture.store.database.withScope<T>>[1]) =>
  fixture.store.database.withScope(home.scope, of);

const stateOf = ({ id }: Job) => read(({ jobs }) => jobs.byId(id));

const matching = (filter: DetectionFilter = {}) =>
  read(({ detections }) => detections.matching(filter, { after: 0, limit: 1000 }));

const now = () => new Date(Date.now() + 1000);

/** Fills an environment with faces of strangers, five in each image. */
async function strangers(images: number): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let i = 0; i < images; i++) ids.push(...(await home.photo([{}, {}, {}, {}, {}])).ids);
  return ids;
}

const startMove = (identityId: number, where: DetectionFilter = {}) =>
  startBulkDetections(
    fixture.store,
    {
      scope: request('bulk_detections'),
      where: { asOf: now(), ...where },
      bulk: { action: 'move', identityId },
    },
    {},
  );

/** Fails after some transactions, as if the process died there. */
function dying(after: number): Database {
  const { database } = fixture.store;
  let left = after;
  return {
    ...database,
    withScope: database.withScope.bind(database),
    ready: database.ready.bind(database),
    withEntities: (...call) => {
      if (left-- <= 0) return Promise.reject(new StoreUnavailable('The process has died.'));
      return database.withEntities(...call);
    },
  };
}

describe('a job that acts on detections', () => {
  test('moves what matches as one operation, and leaves out what is excepted or came later', async () => {
    const ids = await strangers(9);
    const ann = await home.identity('Ann');
    const job = await startMove(ann, { except: [ids[3]!] });
    expect(job).toMatchObject({ type: 'bulk_detections', status: 'pending', total: 44 });
    const [moved] = await strangers(1);
    await fixture.store.query(`UPDATE detections SET detected_at = now() + interval '1 minute'
      WHERE id >= ${moved}`);
    await workOff();
    expect(await stateOf(job)).toMatchObject({ status: 'done', total: 44, done: 44, failed: 0 });
    expect(await matching({ identityId: ann })).toEqual(ids.filter((id) => id !== ids[3]));
    const { items: operations } = await read(({ operations: all }) =>
      all.list({ kind: 'bulk_detections' }, { before: null, limit: 10 }),
    );
    expect(operations).toMatchObject([{ id: job.operationId, count: 44, keyId: 7 }]);
  });

  test.each([1, 2])(
    'continues after the death of its process in step %i, and counts nothing twice',
    async (step) => {
      const ids = await strangers(12);
      const ann = await home.identity('Ann');
      const job = await startMove(ann);
      await runItem(fixture.store, works(dying(step)));
      expect(await stateOf(job)).toMatchObject({ status: 'running', done: (step - 1) * 20 + 20 });
      await killHolders(fixture.store);
      await fixture.store.query('UPDATE jobs SET paused_until = NULL');
      await workOff();
      expect(await stateOf(job)).toMatchObject({ status: 'done', total: 60, done: 60, failed: 0 });
      expect(await matching({ identityId: ann })).toEqual(ids);
      const found = await read(({ operations }) => operations.byId(job.operationId!));
      expect(found).toMatchObject({ count: 60, isAtWork: false });
    },
  );

  test('leaves out what another caller has decided since', async () => {
    const ids = await strangers(2);
    const [ann, ben] = [await home.identity('Ann'), await home.identity('Ben')];
    const job = await startMove(ann, { reviewStatus: 'pending' });
    await home.change(ids[0]!, `identity_id = ${ben}, review_status = 'confirmed'`);
    await workOff();
    expect(await stateOf(job)).toMatchObject({ status: 'done', total: 9, done: 9, failed: 0 });
    expect(await matching({ identityId: ben })).toEqual([ids[0]]);
  });

  test('deletes only what its caller has confirmed, whatever matches later', async () => {
    const ids = await strangers(1);
    const ann = await home.identity('Ann');
    for (const id of ids.slice(2)) await home.change(id, `identity_id = ${ann}`);
    const job = await startBulkDetections(
      fixture.store,
      {
        scope: request('bulk_detections'),
        where: { asOf: now(), identityId: ann },
        bulk: { action: 'delete', confirmed: 3 },
      },
      {},
    );
    await home.change(ids[0]!, `identity_id = ${ann}`);
    await workOff();
    expect(await stateOf(job)).toMatchObject({ status: 'done', total: 3, done: 3 });
    expect(await matching()).toEqual(ids.slice(0, 2));
  });

  test('fails if it kills its process again and again without getting further', async () => {
    await strangers(120);
    const job = await startBulkDetections(
      fixture.store,
      { scope: request('bulk_detections'), where: {}, bulk: { action: 'dismiss' } },
      {},
    );
    await workOff();
    const undo = await startUndo(
      fixture.store,
      { scope: request('undo'), id: job.operationId!, label: null, isStrict: false },
      {},
    );
    for (let life = 0; life < 4; life++) {
      await runItem(fixture.store, works(dying(1)));
      await fixture.store.query('UPDATE jobs SET paused_until = NULL');
      await fixture.store.query(`UPDATE job_items SET deaths = deaths + 1 WHERE state = 'pending'`);
    }
    expect(await stateOf(undo)).toMatchObject({ status: 'failed', done: 500 });
  });

  test('reports the detections that fail', async () => {
    const ids = await strangers(1);
    const ann = await home.identity('Ann');
    const job = await startMove(ann);
    await fixture.store.query('DELETE FROM identities WHERE id = $1', [ann]);
    await workOff();
    expect(await stateOf(job)).toMatchObject({ status: 'done', done: 0, failed: 5 });
    const { items } = await read(({ jobs }) => jobs.items(job.id, { after: -1, limit: 5 }));
    expect(items[0]!.result).toMatchObject({
      processed: 0,
      failed: 5,
      errors: ids.map((id) => ({ detection_id: id, error: { code: 'not_found' } })),
    });
  });

  test('dismisses faces alone, and an undo puts them back', async () => {
    await strangers(5);
    const { ids: objects } = await home.photo([{ type: 'object', className: 'dog', classId: 1 }]);
    const job = await startBulkDetections(
      fixture.store,
      {
        scope: request('bulk_detections'),
        where: { asOf: now() },
        bulk: { action: 'dismiss' },
      },
      {},
    );
    expect(job.total).toBe(25);
    await expect(
      undoOperation(fixture.store, {
        scope: request('undo'),
        id: job.operationId!,
        label: null,
        isStrict: false,
      }),
    ).rejects.toMatchObject({ code: 'not_found' });
    await workOff();
    expect(await matching({ isDismissed: true })).toHaveLength(25);
    expect(await matching({ isDismissed: false })).toEqual(objects);
    const undo = await startUndo(
      fixture.store,
      { scope: request('undo'), id: job.operationId!, label: null, isStrict: false },
      {},
    );
    await workOff();
    expect(await stateOf(undo)).toMatchObject({ status: 'done', error: null, total: 25, done: 25 });
    expect(await matching({ isDismissed: true })).toEqual([]);
  });

  test('that was cancelled keeps what it has done, which can be undone', async () => {
    const ids = await strangers(10);
    const ann = await home.identity('Ann');
    const job = await startMove(ann);
    await runItem(fixture.store, works(dying(1)));
    const undo = () =>
      undoOperation(fixture.store, {
        scope: request('undo'),
        id: job.operationId!,
        label: null,
        isStrict: true,
      });
    await expect(undo()).rejects.toMatchObject({ code: 'job_unfinished' });
    await cancelJob(fixture.store, { scope: home.scope, id: job.id }, {});
    await workOff();
    expect(await stateOf(job)).toMatchObject({ status: 'failed', error: 'cancelled', done: 20 });
    expect(await matching({ identityId: ann })).toEqual(ids.slice(0, 20));
    expect(await undo()).toMatchObject({ undone: 20, skipped: [] });
    expect(await matching({ identityId: ann })).toEqual([]);
  });
});

describe('a job that reviews faces', () => {
  const queued = () =>
    read(({ detections }) => detections.countMatching({ reviewStatus: 'pending' }));

  async function startReject(except: readonly number[] = []) {
    const [row] = await fixture.store.query<{ now: Date }>('SELECT clock_timestamp() AS now');
    return startBulkReview(
      fixture.store,
      {
        scope: request('bulk_review'),
        where: { queuedUntil: row!.now, except },
        review: { action: 'reject' },
      },
      { signal: new AbortController().signal },
    );
  }

  test('continues after the death of its process, and leaves out what was decided or came later', async () => {
    const ids = await strangers(9);
    const ann = await home.identity('Ann');
    const job = await startReject([ids[44]!]);
    expect(job).toMatchObject({ type: 'bulk_review', total: 44 });
    await strangers(1);
    await runItem(fixture.store, works(dying(1)));
    expect(await stateOf(job)).toMatchObject({ status: 'running', done: 20, workedTo: ids[19] });
    await home.change(ids[30]!, `identity_id = ${ann}, review_status = 'confirmed'`);
    await killHolders(fixture.store);
    await fixture.store.query('UPDATE jobs SET paused_until = NULL');
    await workOff();
    expect(await stateOf(job)).toMatchObject({ status: 'done', total: 43, done: 43, failed: 0 });
    expect(await queued()).toBe(6);
    const found = await read(({ operations }) => operations.byId(job.operationId!));
    expect(found).toMatchObject({ kind: 'bulk_review', count: 43 });
  });

  test('labels a group and rejects its exceptions, also if its process dies', async () => {
    const ids = await strangers(9);
    const [odd, ...others] = ids;
    const job = await startGroupDecision(
      fixture.store,
      {
        scope: request('cluster_label'),
        ids: others.toReversed(),
        decision: { action: 'label', target: { label: 'Zoe' }, rejected: [odd!] },
      },
      {},
    );
    await runItem(fixture.store, works(dying(1)));
    expect(await stateOf(job)).toMatchObject({ status: 'running', total: 44, done: 20 });
    await killHolders(fixture.store);
    await fixture.store.query('UPDATE jobs SET paused_until = NULL');
    await workOff();
    expect(await stateOf(job)).toMatchObject({ status: 'done', total: 44, done: 44, failed: 0 });
    const [zoe] = await read(({ identities }) => identities.byLabels('face', ['Zoe']));
    expect(await matching({ identityId: zoe!.id })).toEqual(others);
    expect(await matching({ reviewStatus: 'rejected' })).toEqual([odd]);
    const found = await read(({ operations }) => operations.byId(job.operationId!));
    expect(found).toMatchObject({ kind: 'cluster_label', count: 46 });
    await undoOperation(fixture.store, {
      scope: request('undo'),
      id: job.operationId!,
      label: null,
      isStrict: true,
    });
    expect(await queued()).toBe(45);
    expect(await read(({ identities }) => identities.byLabels('face', ['Zoe']))).toEqual([]);
  });

  test('dismisses a group', async () => {
    const ids = await strangers(25);
    const job = await startGroupDecision(
      fixture.store,
      { scope: request('cluster_dismiss'), ids, decision: { action: 'dismiss' } },
      {},
    );
    await runItem(fixture.store, works(dying(1)));
    expect(await stateOf(job)).toMatchObject({ status: 'running', total: 125, done: 100 });
    await killHolders(fixture.store);
    await fixture.store.query('UPDATE jobs SET paused_until = NULL');
    await workOff();
    expect(await stateOf(job)).toMatchObject({ status: 'done', total: 125, done: 125 });
    expect(await matching({ isDismissed: true })).toEqual(ids);
  });
});

describe('a job that deletes images', () => {
  const startDelete = (confirmed: number, except: readonly number[] = []) =>
    startBulkImages(
      fixture.store,
      {
        scope: request('bulk_images'),
        where: { asOf: now(), except },
        bulk: { action: 'delete', confirmed },
      },
      {},
    );
  const images = () => read(({ sources }) => sources.count({}));

  test('needs the number of images, and is one operation although its items run at the same time', async () => {
    await strangers(6);
    const { source } = await home.photo([{}]);
    await expect(startDelete(7, [source.id])).rejects.toMatchObject({
      code: 'count_changed',
      facts: { count: 6 },
    });
    const job = await startDelete(6, [source.id]);
    const workers = Array.from({ length: 4 }, () => workOff());
    await Promise.all(workers);
    expect(await stateOf(job)).toMatchObject({ status: 'done', total: 6, done: 6, failed: 0 });
    expect(await images()).toBe(1);
    const found = await read(({ operations }) => operations.byId(job.operationId!));
    expect(found).toMatchObject({ kind: 'bulk_images', count: 36 });
    const files = await fixture.store.files(home.scope);
    const undo = await startUndo(
      fixture.store,
      { scope: request('undo'), id: job.operationId!, label: null, isStrict: true },
      {},
    );
    await runItem(fixture.store, works(dying(0)));
    await killHolders(fixture.store);
    await fixture.store.query('UPDATE jobs SET paused_until = NULL');
    await workOff();
    expect(await stateOf(undo)).toMatchObject({ status: 'done', done: 36, failed: 0 });
    expect(await images()).toBe(7);
    expect(await fixture.store.files(home.scope)).toEqual(files);
    expect(await fixture.findings()).toEqual([]);
  });

  test('without images ends at once, and no operation is listed', async () => {
    const job = await startDelete(0);
    expect(job).toMatchObject({ status: 'done', total: 0 });
    const listed = await read(({ operations }) => operations.list({}, { before: null, limit: 10 }));
    expect(listed.items).toEqual([]);
  });
});

test('an undo in a job continues after the death of its process, and counts nothing twice', async () => {
  await strangers(120);
  const job = await startBulkDetections(
    fixture.store,
    { scope: request('bulk_detections'), where: { asOf: now() }, bulk: { action: 'dismiss' } },
    {},
  );
  await workOff();
  const undo = await startUndo(
    fixture.store,
    { scope: request('undo'), id: job.operationId!, label: null, isStrict: false },
    {},
  );
  await runItem(fixture.store, works(dying(1)));
  expect(await stateOf(undo)).toMatchObject({ status: 'running', total: 600, done: 500 });
  await killHolders(fixture.store);
  await fixture.store.query('UPDATE jobs SET paused_until = NULL');
  await workOff();
  expect(await stateOf(undo)).toMatchObject({ status: 'done', total: 600, done: 600, failed: 0 });
  expect(await matching({ isDismissed: true })).toEqual([]);
  const [first] = (await read(({ operations }) => operations.list({}, { before: null, limit: 10 })))
    .items;
  expect(first).toMatchObject({ id: undo.operationId, kind: 'undo', count: 600 });
});
