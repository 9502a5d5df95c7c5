import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { endItemLeases } from '../support/fixtures/end-leases.ts';
import { ok, okWith } from '../support/services/ok.ts';
import type { RunningService } from '../support/services/running-service.ts';
import type { RunningStandalone } from '../support/services/running-standalone.ts';
import { sampled } from '../support/gates/soak.ts';
import { archivedContent } from './archived-content.ts';
import { type Death, type DyingLibrary, enroll, openDyingLibrary } from './dying-library.ts';

const PAUSE_MS = 100;
const PEOPLE = ['Ada', 'Bea', 'Cem', 'Dan', 'Eva', 'Fay'];
const IMAGES = PEOPLE.length;
/** The files of an image are the image itself and the crop of its face. */
const FILES_OF_IMAGE = 2;
/** The number of images that an import stores concurrently. */
const IMAGES_AT_WORK = 8;

interface Case {
  readonly when: string;
  readonly death: Death;
  /** Whether the job has ended when the process dies. */
  readonly hasEnded?: true;
  /** Whether a caller cancels the job before another process takes it over. */
  readonly isCancelled?: true;
}

/** Each `time` counts the points from the request on. The first commit creates the job. */
const EXPORT_CASES = sampled<Case>(
  [
    { when: 'over a page', death: { point: 'after-read', time: 4 } },
    { when: 'with the archive stored', death: { point: 'after-media-put', time: 1 } },
    { when: 'before the end is committed', death: { point: 'before-commit', time: 2 } },
    { when: 'after the end', death: { point: 'after-commit', time: 2 }, hasEnded: true },
  ],
  1,
);

/**
 * Each `time` counts the points from the request on. The first four reads belong to the request itself: it checks
 * twice for room and reads the settings twice. The first put stores the archive.
 */
const IMPORT_CASES = sampled<Case>(
  [
    {
      when: 'with a page flushed, before its progress is stored',
      death: { point: 'after-flush', time: 1 },
    },
    {
      when: 'between images, and is cancelled',
      death: { point: 'after-commit', time: 4 },
      isCancelled: true,
    },
    {
      when: 'with all images stored, before the end is committed',
      death: { point: 'before-commit', time: IMAGES + 2 },
    },
    { when: 'as it checks the archive', death: { point: 'after-read', time: 5 } },
    { when: 'between the files of an image', death: { point: 'after-media-put', time: 4 } },
    { when: 'before an image is committed', death: { point: 'before-commit', time: 4 } },
    {
      when: 'after the end',
      death: { point: 'after-commit', time: IMAGES + 2 },
      hasEnded: true,
    },
  ],
  3,
);

const DEATHS = [...EXPORT_CASES, ...IMPORT_CASES].map(({ death }) => death);

const resources = new AsyncDisposableStack();
let library: DyingLibrary;
let service: RunningStandalone;
/**
 * The archive, the content of an undisturbed export, and the content of a library after an
 * undisturbed import.
 */
let archive: File;
let exported: readonly unknown[];
let imported: readonly unknown[];
/** The death for which the running service was started. */
let next: Death | undefined;

beforeAll(async () => {
  library = resources.use(await openDyingLibrary());
  await start(DEATHS[0]);
  for (const name of PEOPLE) await enroll(service, name);
  const bytes = await exportFrom(service.client);
  archive = new File([bytes], 'library.zip');
  exported = await archivedContent(bytes);
  const calm = await service.clientOf({ environment: 'calm', right: 'full' });
  okWith(200, await calm.importArchive({ body: { file: archive } }));
  imported = await archivedContent(await exportFrom(calm));
});
afterAll(async () => {
  expect(await library.inconsistencies()).toEqual([]);
  await service[Symbol.asyncDispose]();
  await resources.disposeAsync();
});

test.each(EXPORT_CASES)('an export over which the service dies $when', async (each) => {
  const job = await dieOver(each, ({ client }) =>
    client.exportLibrary({ body: {}, query: { async: true } }),
  );
  await goOn(job, each);
  const response = await service.fetch(`/api/jobs/${job}/results`);
  expect(response.status).toBe(200);
  expect(await archivedContent(await response.bytes())).toEqual(exported);
  await expectJob(job, { status: 'done', error: null, done: IMAGES, failed: 0 });
  const { point } = each.death;
  const isArchiveLeft = point === 'after-media-put' || point === 'before-commit';
  expect(await library.collectOrphans()).toBe(isArchiveLeft ? 1 : 0);
});

test.each(IMPORT_CASES)('an import over which the service dies $when', async (each) => {
  const { key } = await service.createKey({ environment: each.when, right: 'full' });
  const request = { body: { file: archive } };
  const job = await dieOver(each, (dying) =>
    dying.clientWith(key).importArchive({ ...request, query: { async: true } }),
  );
  const client = await goOn(job, each, key);
  if (each.isCancelled === true) {
    await expectJob(job, { status: 'failed', error: 'cancelled' });
    okWith(200, await client.importArchive(request));
  } else await expectJob(job, { status: 'done', error: null, done: IMAGES, failed: 0 });
  expect(await archivedContent(await exportFrom(client))).toEqual(imported);
  expect(okWith(200, await client.importArchive(request))).toMatchObject({
    identities_created: 0,
    detections_created: 0,
    embeddings_created: 0,
    images_created: 0,
  });
  await expectEachOnce(job);
  // The orphans are the files of the images in progress, and the archive if the process died before
  // it could remove the archive.
  const left = IMAGES_AT_WORK * FILES_OF_IMAGE + 1;
  expect(await library.collectOrphans()).toBeLessThanOrEqual(left);
  expect(await library.collectOrphans()).toBe(0);
});

async function start(death: Death | undefined, held = { keepsItems: false }): Promise<void> {
  service = await library.start(death, held);
  next = death;
}

type Client = RunningService['client'];

async function exportFrom(client: Client): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await client.exportLibrary({ body: {} });
  return new Uint8Array(await okWith(200, answer).arrayBuffer());
}

async function dieOver(
  { death, hasEnded }: Case,
  request: (
    dying: RunningStandalone,
  ) => ReturnType<Client['importArchive'] | Client['exportLibrary']>,
): Promise<number> {
  if (next !== death) {
    await service.kill();
    await start(death);
  }
  const exit = once(service.process, 'exit');
  service.process.kill('SIGUSR2');
  const answer = await request(service);
  const { job_id } = okWith(202, answer);
  expect(await exit).toEqual([null, 'SIGKILL']);
  const items = await library.query('SELECT state FROM job_items WHERE job_id = $1', [job_id]);
  expect(items).toEqual([{ state: hasEnded === true ? 'done' : 'running' }]);
  return job_id;
}

/**
 * Starts the next service, which finishes this job, and returns its client. The service will die at
 * the next point.
 */
async function goOn(job: number, { death, isCancelled }: Case, key?: string): Promise<Client> {
  await start(DEATHS[DEATHS.indexOf(death) + 1], { keepsItems: isCancelled === true });
  const client = service.clientWith(key ?? service.apiKey);
  if (isCancelled === true) {
    ok(await client.cancelJob({ path: { id: job } }));
    await endItemLeases(library);
  }
  for (;;) {
    const { status } = ok(await client.getJob({ path: { id: job } }));
    if (status === 'done' || status === 'failed') return client;
    await sleep(PAUSE_MS);
  }
}

/**
 * Expects that the job has ended in this state, with one event about its end, and without uploads.
 */
async function expectJob(job: number, expected: object): Promise<void> {
  const [row] = await library.query<Record<'total' | 'done' | 'failed', number>>(
    'SELECT status, error, total, done, failed FROM jobs WHERE id = $1',
    [job],
  );
  expect(row).toMatchObject(expected);
  expect(row!.done + row!.failed).toBe(row!.total);
  const events = await library.query(
    `SELECT data ->> 'status' AS status FROM outbox
     WHERE event = 'job.done' AND (data ->> 'job_id')::bigint = $1`,
    [job],
  );
  expect(events).toHaveLength(1);
  expect(await library.query('SELECT FROM job_items WHERE upload_key IS NOT NULL')).toEqual([]);
  expect(await library.contradictions()).toEqual([]);
}

/** Expects that each detection of the job's environment was stored once and announced once. */
async function expectEachOnce(job: number): Promise<void> {
  const [row] = await library.query(
    `SELECT (SELECT count(*) FROM detections d WHERE d.environment_id = j.environment_id) AS stored,
       (SELECT count(*) FROM outbox o
        WHERE o.environment_id = j.environment_id AND o.event = 'detection.created') AS announced
     FROM jobs j WHERE id = $1`,
    [job],
  );
  expect(row).toEqual({ stored: IMAGES, announced: IMAGES });
}
