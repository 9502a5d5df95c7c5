import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { okWith } from '../support/services/ok.ts';
import type { RunningStandalone } from '../support/services/running-standalone.ts';
import { type Death, type DyingLibrary, enroll, openDyingLibrary } from './dying-library.ts';

const PAUSE_MS = 200;
/** The job itself is the first commit after the signal. */
const DEATHS: readonly Death[] = [
  { point: 'before-commit', time: 4 },
  { point: 'after-commit', time: 3 },
  { point: 'after-media-put', time: 4 },
];
const PEOPLE = ['Ada', 'Bea', 'Cem', 'Dan', 'Eva', 'Fay', 'Gus', 'Hal'];
const IMAGES = PEOPLE.length;

test('a job over which the service dies again and again does each image once', async () => {
  await using library = await openDyingLibrary();
  await using services = new AsyncDisposableStack();
  const photos = await Promise.all(PEOPLE.map((name) => drawPhoto({ faces: [name] })));
  let service = services.use(await library.start(DEATHS[0]));
  await enroll(service, 'Zoe');
  await library.events();
  // The same image twice is stored once.
  const file = [...photos, photos[0]!];
  const bulk = await dieOverJob(service, async ({ client }) =>
    okWith(202, await client.detectBulk({ query: { async: true }, body: { file } })),
  );
  expect(bulk.total).toBe(IMAGES + 1);
  service = services.use(await dieAndGoOn(library));
  await untilEnded(library, bulk.job_id);
  await expectEnded(library, service, { ...bulk, total: IMAGES + 1 });
  const found = await detections(library);
  expect(found).toHaveLength(IMAGES);

  // One by one: a process that dies of its own holds the rest for the time of a lease.
  const ids = await library.query<{ id: number }>(
    'SELECT source_image_id AS id FROM detections WHERE identity_id IS NULL',
  );
  const body = { source_image_ids: ids.map(({ id }) => id), replace: true };
  await service[Symbol.asyncDispose]();
  service = services.use(await library.start(DEATHS[1]));
  const again = await dieOverJob(service, async ({ client }) =>
    okWith(202, await client.reprocessImages({ query: { async: true }, body })),
  );
  service = services.use(await library.start());
  await untilEnded(library, again.job_id);
  await expectEnded(library, service, { ...again, total: IMAGES });
  const now = await detections(library);
  expect(now).toHaveLength(IMAGES);
  expect(Math.min(...now)).toBeGreaterThan(Math.max(...found));
});

interface Started {
  readonly job_id: number;
  readonly total: number;
}

/** Lets a service die while it works on the job that a request makes. */
async function dieOverJob(
  service: RunningStandalone,
  request: (service: RunningStandalone) => Promise<Started>,
): Promise<Started> {
  const exit = once(service.process, 'exit');
  service.process.kill('SIGUSR2');
  const job = await request(service);
  expect(await exit).toEqual([null, 'SIGKILL']);
  return job;
}

/** Starts processes that die over what is left, and one that does not. */
async function dieAndGoOn(library: DyingLibrary): Promise<RunningStandalone> {
  for (const death of DEATHS.slice(1)) {
    await using service = await library.start(death);
    const exit = once(service.process, 'exit');
    service.process.kill('SIGUSR2');
    expect(await exit).toEqual([null, 'SIGKILL']);
  }
  return library.start();
}

async function untilEnded(library: DyingLibrary, id: number): Promise<void> {
  for (;;) {
    const [job] = await library.query(
      'SELECT FROM jobs WHERE id = $1 AND finished_at IS NOT NULL',
      [id],
    );
    if (job !== undefined) return;
    await sleep(PAUSE_MS);
  }
}

/** Every item has ended once, well, and the job is announced once. */
async function expectEnded(
  library: DyingLibrary,
  service: RunningStandalone,
  { job_id, total }: Started,
): Promise<void> {
  expect(await service.inconsistencies()).toEqual([]);
  const items = await library.query<{ index: number; state: string }>(
    'SELECT index, state FROM job_items WHERE job_id = $1 ORDER BY index',
    [job_id],
  );
  expect(items).toEqual(items.map((_, index) => ({ index, state: 'done' })));
  expect(items).toHaveLength(total);
  const events = await library.events();
  const ends = events.flatMap(({ event, data }) => (event === 'job.done' ? [data] : []));
  expect(ends).toMatchObject([{ job_id, status: 'done', total, done: total, failed: 0 }]);
  const created = events.filter(({ event }) => event === 'detection.created');
  expect(created).toHaveLength(IMAGES);
}

/** Of the people whom nobody has named. */
async function detections(library: DyingLibrary): Promise<readonly number[]> {
  const rows = await library.query<{ id: number }>(
    'SELECT id FROM detections WHERE identity_id IS NULL ORDER BY id',
  );
  return rows.map(({ id }) => id);
}
