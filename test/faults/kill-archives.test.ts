import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { portableRows } from '../support/fixtures/portable-rows.ts';
import { endLeases } from '../support/fixtures/seed-jobs.ts';
import { ok, okWith } from '../support/services/ok.ts';
import type { RunningStandalone } from '../support/services/running-standalone.ts';
import { dieOverJob, type Started, untilEnded } from './dying-jobs.ts';
import { type Death, type DyingLibrary, enroll, openDyingLibrary } from './dying-library.ts';

const PEOPLE = ['Ada', 'Bea', 'Cem', 'Dan', 'Eva', 'Fay'];
/** The image of each, and one of somebody enrolled. */
const IMAGES = PEOPLE.length + 1;

/** When the archive is stored, and when that is to be, or has been, told. The job is the first commit. */
const EXPORT_DEATHS: readonly Death[] = [
  { point: 'after-media-put', time: 1 },
  { point: 'before-commit', time: 2 },
  { point: 'after-commit', time: 2 },
];

/** Over an image's files, its rows, and when they are there. The upload is the first file. */
const IMPORT_DEATHS: readonly Death[] = [
  { point: 'after-media-put', time: 6 },
  { point: 'before-commit', time: 4 },
  { point: 'after-commit', time: 5 },
  // The identities are there, the job has not ended.
  { point: 'before-commit', time: 2 + IMAGES },
];

test('exports and imports over which the service dies end as if it had not', async () => {
  await using library = await openDyingLibrary();
  await using services = new AsyncDisposableStack();
  let service = services.use(await library.start(EXPORT_DEATHS[0]));
  await fill(service);
  const rows = await rowsOf(library);
  let zip = new Uint8Array();
  for (const [turn, { point }] of EXPORT_DEATHS.entries()) {
    await library.events();
    const job = await dieOverJob(service, async ({ client }) =>
      okWith(202, await client.exportLibrary({ query: { async: true }, body: {} })),
    );
    service = services.use(await library.start(EXPORT_DEATHS[turn + 1]));
    await endLeases(library);
    await untilEnded(library, job.job_id);
    expect({ point, ...(await endOf(library, job)) }).toEqual({
      point,
      state: ['done'],
      ends: [endWith(job, 'done', IMAGES)],
    });
    zip = await resultOf(service, job);
  }
  expect(await rowsOf(library)).toEqual(rows);
  await service.stop();

  await using target = await openDyingLibrary();
  for (const death of IMPORT_DEATHS) {
    const dying = services.use(await target.start(death));
    await empty(target, dying);
    const job = await dieOverJob(dying, ({ client }) => importInto(client, zip));
    const next = services.use(await target.start());
    await endLeases(target);
    await untilEnded(target, job.job_id);
    expect({ death, ...(await endOf(target, job)) }).toEqual({
      death,
      state: ['done'],
      ends: [endWith(job, 'done', IMAGES)],
    });
    expect({ death, rows: await rowsOf(target) }).toEqual({ death, rows });
    const again = okWith(200, await next.client.importArchive({ body: { file: fileOf(zip) } }));
    expect(again).toMatchObject({
      images_created: 0,
      detections_created: 0,
      identities_created: 0,
    });
    expect({ death, rows: await rowsOf(target) }).toEqual({ death, rows });
    expect(await next.inconsistencies()).toEqual([]);
    expect(await uploadsIn(next)).toEqual([]);
    await next.stop();
  }
});

test('an import that is cancelled over the death of the service stays cancelled', async () => {
  await using library = await openDyingLibrary();
  await using services = new AsyncDisposableStack();
  const first = services.use(await library.start(IMPORT_DEATHS[1]));
  await fill(first);
  const zip = new Uint8Array(
    await (
      await first.fetch('/api/export', {
        method: 'POST',
        body: '{}',
        headers: { 'content-type': 'application/json' },
      })
    ).arrayBuffer(),
  );
  await empty(library, first);
  const job = await dieOverJob(first, ({ client }) => importInto(client, zip));
  const next = services.use(await library.start());
  ok(await next.client.cancelJob({ path: { id: job.job_id } }));
  await endLeases(library);
  await untilEnded(library, job.job_id);
  const { ends } = await endOf(library, job);
  expect(ends).toMatchObject([{ job_id: job.job_id, status: 'failed' }]);
  expect(await next.inconsistencies()).toEqual([]);
  expect(await uploadsIn(next)).toEqual([]);
});

/** People of whom one is enrolled, one named, one rejected and one dismissed. */
async function fill(service: RunningStandalone): Promise<void> {
  const { client } = service;
  await enroll(service, 'Zoe');
  const ids: number[] = [];
  for (const name of PEOPLE) {
    const file = await drawPhoto({ faces: [name] });
    const { faces } = ok(await client.detectFaces({ body: { file } }));
    ids.push(faces[0]!.detection_id);
  }
  const [ada, bea, cem] = ids;
  ok(await client.labelDetection({ path: { id: ada! }, body: { label: 'Ada' } }));
  ok(await client.labelDetection({ path: { id: bea! }, body: { label: 'Zoe' } }));
  ok(await client.rejectFace({ path: { id: bea! } }));
  ok(await client.dismissDetections({ body: { detection_ids: [cem!] } }));
}

/** Deletes all images, identities and events. */
async function empty(library: DyingLibrary, { client }: RunningStandalone): Promise<void> {
  for (const id of ok(await client.listImageIds()).ids)
    ok(await client.deleteImage({ path: { id } }));
  const identities = await library.query<{ id: number }>('SELECT id FROM identities');
  for (const { id } of identities) ok(await client.deleteIdentity({ path: { id } }));
  expect(await library.query('SELECT FROM detections')).toEqual([]);
}

function fileOf(zip: Uint8Array): File {
  return new File([new Uint8Array(zip)], 'library.zip');
}

async function importInto(client: RunningStandalone['client'], zip: Uint8Array): Promise<Started> {
  return okWith(
    202,
    await client.importArchive({ query: { async: true }, body: { file: fileOf(zip) } }),
  );
}

async function resultOf(
  service: RunningStandalone,
  { job_id: id }: Started,
): Promise<Uint8Array<ArrayBuffer>> {
  const response = await service.fetch(`/api/jobs/${id}/results`);
  expect(response.status).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
}

async function rowsOf(library: DyingLibrary): Promise<readonly unknown[]> {
  const [environment] = await library.query<{ id: number }>('SELECT id FROM environments');
  return portableRows((text, values) => library.query(text, values), environment!.id);
}

/** The states of its items, and how its end was announced. */
async function endOf(library: DyingLibrary, { job_id: id }: Started) {
  const items = await library.query<{ state: string }>(
    'SELECT state FROM job_items WHERE job_id = $1',
    [id],
  );
  const ends = await library.query<{ data: unknown }>(
    `SELECT data FROM outbox WHERE event = 'job.done' AND (data->>'job_id')::bigint = $1`,
    [id],
  );
  return { state: items.map(({ state }) => state), ends: ends.map(({ data }) => data) };
}

function endWith({ job_id }: Started, status: string, images: number) {
  return expect.objectContaining({ job_id, status, total: images, done: images, failed: 0 });
}

/** Files of uploads that are left. */
async function uploadsIn({ data }: RunningStandalone): Promise<readonly string[]> {
  const names = await readdir(join(data, 'media'), { recursive: true, withFileTypes: true });
  return names
    .filter((one) => one.isFile() && one.parentPath.includes('/uploads'))
    .map(({ name }) => name);
}
