import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { endItemLeases } from '../support/fixtures/end-leases.ts';
import { testInSoak } from '../support/gates/soak.ts';
import { ok, okWith } from '../support/services/ok.ts';
import type { RunningStandalone } from '../support/services/running-standalone.ts';
import { dieOverJob, type Started, untilEnded } from './dying-jobs.ts';
import { type Death, type DyingLibrary, enroll, openDyingLibrary } from './dying-library.ts';

const PEOPLE = ['Ada', 'Bea', 'Cem', 'Dan', 'Eva', 'Fay', 'Gus', 'Hal'];
const IMAGES = PEOPLE.length;
/** One image is posted twice, but stored once. */
const POSTED = IMAGES + 1;
/**
 * Each `time` counts the points from the request on. The first POSTED puts into the media store are the job's
 * uploads, and the first commit creates the job.
 */
const DEATHS: readonly Death[] = [
  { point: 'before-commit', time: 4 },
  { point: 'after-media-put', time: POSTED + 5 },
  { point: 'after-commit', time: 3 },
];

test('a job over which the service dies does each image once', async () => {
  await using library = await openDyingLibrary();
  await using services = new AsyncDisposableStack();
  const photos = await Promise.all(PEOPLE.map((name) => drawPhoto({ faces: [name] })));
  const file = [...photos, photos[0]!];
  let service = services.use(await library.start(DEATHS[0]));
  await enroll(service, 'Zoe');
  await library.events();
  const bulk = async ({ client }: RunningStandalone, replace: boolean) =>
    okWith(202, await client.detectBulk({ query: { async: true }, body: { file, replace } }));

  const first = await dieOverJob(service, (dying) => bulk(dying, false));
  service = services.use(await library.start(DEATHS[1]));
  await untilEnded(library, first.job_id);
  await expectEnded(library, { ...first, total: POSTED, created: IMAGES });
  const found = await detections(library);
  expect(found).toHaveLength(IMAGES);

  const second = await dieOverJob(service, (dying) => bulk(dying, true));
  service = services.use(await library.start(DEATHS[2]));
  await untilEnded(library, second.job_id);
  await expectEnded(library, { ...second, total: POSTED, created: POSTED });
  expect(await detections(library)).toHaveLength(IMAGES);

  const ids = await library.query<{ id: number }>(
    'SELECT source_image_id AS id FROM detections WHERE identity_id IS NULL',
  );
  const body = { source_image_ids: ids.map(({ id }) => id), replace: true };
  const third = await dieOverJob(service, async ({ client }) =>
    okWith(202, await client.reprocessImages({ query: { async: true }, body })),
  );
  service = services.use(await library.start());
  await untilEnded(library, third.job_id);
  await expectEnded(library, { ...third, total: IMAGES, created: IMAGES });
  const now = await detections(library);
  expect(now).toHaveLength(IMAGES);
  expect(Math.min(...now)).toBeGreaterThan(Math.max(...found));
  await expectNoUploads(library);
});

testInSoak('a bulk and an export whose process is killed twice fail nothing', async () => {
  await using library = await openDyingLibrary();
  await using services = new AsyncDisposableStack();
  const file = await Promise.all(PEOPLE.map((name) => drawPhoto({ faces: [name] })));
  let service = services.use(await library.start({ point: 'before-commit', time: 6 }));
  await enroll(service, 'Zoe');
  const exported = okWith(
    202,
    await service.client.exportLibrary({ query: { async: true }, body: {} }),
  );
  const bulk = await dieOverJob(service, async ({ client }) =>
    okWith(202, await client.detectBulk({ query: { async: true }, body: { file } })),
  );
  const next: Death = { point: 'before-commit', time: 1 };
  service = services.use(await library.start(next, { keepsItems: true }));
  const exit = once(service.process, 'exit');
  service.process.kill('SIGUSR2');
  await endItemLeases(library);
  expect(await exit).toEqual([null, 'SIGKILL']);
  services.use(await library.start());
  for (const { job_id } of [bulk, exported]) {
    await untilEnded(library, job_id);
    expect(await library.query('SELECT status, failed FROM jobs WHERE id = $1', [job_id])).toEqual([
      { status: 'done', failed: 0 },
    ]);
  }
  await expectNoUploads(library);
});

test('a job that is cancelled while the process at its work is dead leaves nothing', async () => {
  await using library = await openDyingLibrary();
  await using services = new AsyncDisposableStack();
  const file = await Promise.all(PEOPLE.map((name) => drawPhoto({ faces: [name] })));
  let service = services.use(await library.start(DEATHS[0]));
  await enroll(service, 'Zoe');
  const { job_id } = await dieOverJob(service, async ({ client }) =>
    okWith(202, await client.detectBulk({ query: { async: true }, body: { file } })),
  );
  expect((await library.files()).filter(isUpload)).not.toEqual([]);
  await library.events();
  service = services.use(await library.start(undefined, { keepsItems: true }));
  ok(await service.client.cancelJob({ path: { id: job_id } }));
  await endItemLeases(library);
  await untilEnded(library, job_id);
  const ends = (await library.events()).flatMap(({ event, data }) =>
    event === 'job.done' ? [data] : [],
  );
  expect(ends).toMatchObject([{ job_id, status: 'failed', total: IMAGES }]);
  expect(await library.inconsistencies()).toEqual([]);
  await expectNoUploads(library);
});

const isUpload = (key: string) => key.includes('/uploads/');

/** Expects no uploads, except those of a killed process, which a task collects a day later. */
async function expectNoUploads(library: DyingLibrary): Promise<void> {
  const rows = await library.query('SELECT FROM job_items WHERE upload_key IS NOT NULL');
  expect(rows).toEqual([]);
  await library.collectOrphans();
  expect((await library.files()).filter(isUpload)).toEqual([]);
}

/** Expects that every item succeeded once, and that one event announced the end of the job. */
async function expectEnded(
  library: DyingLibrary,
  { job_id, total, created }: Started & { readonly total: number; readonly created: number },
): Promise<void> {
  expect(await library.inconsistencies()).toEqual([]);
  const items = await library.query<{ index: number; state: string }>(
    'SELECT index, state FROM job_items WHERE job_id = $1 ORDER BY index',
    [job_id],
  );
  expect(items).toEqual(items.map((_, index) => ({ index, state: 'done' })));
  expect(items).toHaveLength(total);
  const events = await library.events();
  const ends = events.flatMap(({ event, data }) => (event === 'job.done' ? [data] : []));
  expect(ends).toMatchObject([{ job_id, status: 'done', total, done: total, failed: 0 }]);
  const news = events.filter(({ event }) => event === 'detection.created');
  expect(news).toHaveLength(created);
}

/** The ids of the detections without an identity. */
async function detections(library: DyingLibrary): Promise<readonly number[]> {
  const rows = await library.query<{ id: number }>(
    'SELECT id FROM detections WHERE identity_id IS NULL ORDER BY id',
  );
  return rows.map(({ id }) => id);
}
