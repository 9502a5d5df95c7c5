import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { cancelJob } from '@sightline/core/administration/cancel-job';
import { ClaimLost } from '@sightline/core/jobs/job-errors';
import { runNextItem, type RunItemDeps } from '@sightline/core/jobs/run-next-item';
import type { MediaStore } from '@sightline/core/media/media-store';
import { startExport } from '@sightline/core/transfer/start-export';
import { Spool } from '@sightline/platform/http/spool';
import { createLogger } from '@sightline/platform/logging/logger';
import { exportJob, type ExportJobDeps } from '@sightline/background/worker/jobs/export-job';
import { changed } from '../../support/fixtures/changed.ts';
import { readArchive } from '../../support/fixtures/read-archive.ts';
import { runItemDeps } from '../../support/fixtures/run-jobs.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let home: SeededEnvironment;

beforeAll(async () => {
  store = await openStoreFixture();
});
beforeEach(async () => {
  home = await store.environment();
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

const stop = new AbortController();

function work(
  changes: Partial<ExportJobDeps> = {},
  runs: Partial<RunItemDeps> = {},
): Promise<boolean> {
  const spool = new Spool({ maxBytes: 1024 ** 2, reserveBytes: 0 });
  const logger = createLogger({ level: 'silent' });
  const deps = { ...store, spool, logger, version: '1.2.3', ...changes };
  const works = { export: exportJob(deps) };
  const claim = () => store.jobs.claim(['export']);
  return runNextItem({ ...runItemDeps(store, works), ...runs }, claim, stop.signal);
}

const start = (identityIds: readonly number[] | null = null) =>
  startExport(store, { scope: home.scope, identityIds });

const jobOf = ({ id }: { readonly id: number }) =>
  store.database.withScope(home.scope, ({ jobs }) => jobs.byId(id));

const archives = async () =>
  (await store.files(home.scope)).filter((key) => key.includes('/archives/'));

async function fileAt(key: string): Promise<Uint8Array> {
  const object = await store.media.open(key);
  return new Uint8Array(await new Response(object!.body).arrayBuffer());
}

test('writes an archive, counts images, and ends with one event', async () => {
  const ada = await home.identity('Ada');
  await home.photo([{ identityId: ada }]);
  const { source } = await home.photo([{}]);
  await home.photo([]);
  await store.media.remove([source.mediaKey]);
  await home.events();
  const job = await start();
  expect(job).toMatchObject({ type: 'export', status: 'pending', total: 3, resultsKey: null });
  expect(await work()).toBe(true);
  const ended = await jobOf(job);
  expect(ended).toMatchObject({ status: 'done', total: 3, done: 2, failed: 1, hasResults: true });
  const { images, identities } = await readArchive(await fileAt(ended!.resultsKey!));
  expect(images).toHaveLength(2);
  expect(identities).toMatchObject([{ label: 'Ada' }]);
  expect(await archives()).toEqual([ended!.resultsKey]);
  expect(await home.events()).toMatchObject([
    { event: 'job.done', data: { job_id: job.id, type: 'export', total: 3, done: 2, failed: 1 } },
  ]);
});

test('writes what some identities have, of an empty library too', async () => {
  const ada = await home.identity('Ada');
  await home.photo([{ identityId: ada }]);
  await home.photo([{}]);
  const some = await start([ada]);
  await work();
  expect(await jobOf(some)).toMatchObject({ status: 'done', total: 1, done: 1 });
  const none = await start([]);
  await work();
  const { resultsKey } = (await jobOf(none))!;
  expect(await readArchive(await fileAt(resultsKey!))).toMatchObject({ images: [], pages: 0 });
});

test('waits until the spool has room for it', async () => {
  await home.photo([{}]);
  const job = await start();
  const spool = new Spool({ maxBytes: 300, reserveBytes: 0 });
  expect(await work({ spool })).toBe(true);
  expect(await jobOf(job)).toMatchObject({ status: 'running', resultsKey: null });
  // Ends the pause of the job, so that its next item can run.
  await store.query('UPDATE jobs SET paused_until = NULL WHERE id = $1', [job.id]);
  expect(await work()).toBe(true);
  expect(await jobOf(job)).toMatchObject({ status: 'done', done: 1 });
});

test('ends when it is cancelled, and leaves no file', async () => {
  await home.photo([{}]);
  const job = await start();
  let isCancelled = false;
  const open: MediaStore['open'] = async (...call) => {
    if (!isCancelled) await cancelJob(store, { scope: home.scope, id: job.id });
    isCancelled = true;
    return store.media.open(...call);
  };
  await work({ media: changed(store.media, { open }) });
  expect(await jobOf(job)).toMatchObject({
    status: 'failed',
    error: 'cancelled',
    resultsKey: null,
  });
  expect(await archives()).toEqual([]);
});

test('leaves no file if another process has taken it over', async () => {
  await home.photo([{}]);
  const job = await start();
  await work({}, { endItem: () => Promise.reject(new ClaimLost()) });
  expect(await archives()).toEqual([]);
  expect(await jobOf(job)).toMatchObject({ status: 'running' });
});
