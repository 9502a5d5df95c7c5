import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { findServer, isAlive } from '@sightline/embedded-postgres/find-server';
import { locationOf } from '@sightline/embedded-postgres/postgres-home';
import { describeWithMinio } from '../support/servers/minio.ts';
import { LocalDatabase } from '../support/servers/local-database.ts';
import { MinioProcess } from '../support/servers/minio-process.ts';
import { ok } from '../support/services/ok.ts';
import { drawPhoto, freshPhoto, people } from '../support/fixtures/draw-photo.ts';
import { type RunningStandalone, startStandalone } from '../support/services/running-standalone.ts';
import { endLeasesIn, endLeasesOf } from '../support/fixtures/end-leases.ts';
import { preparedData, temporaryData } from '../support/fixtures/temporary-data.ts';
import { untilHealthSays } from '../support/services/until-health-says.ts';
import { untilAvailable } from '../support/servers/until-available.ts';
import { sampled, testInSoak } from '../support/gates/soak.ts';
import { DYING_POINTS, type DyingPoint } from './dying-stores.ts';

const DYING = 'test/faults/dying-standalone.ts';
const ROUNDS = 12;

/** For each point, whether the row that the process was writing when it died exists afterwards. */
const COMMITTED = {
  'after-media-put': false,
  'before-commit': false,
  'after-commit': true,
  'before-index-upsert': true,
};

describe('a service that dies', () => {
  testInSoak(
    'at each point of storing a photo loses no answer and shows nothing half-made',
    async () => {
      await using data = await preparedData();
      await dieAtEachPoint(storesIn(data.path));
    },
  );

  describeWithMinio('with its rows and images elsewhere', () => {
    let minio: MinioProcess;

    beforeAll(async () => {
      minio = await MinioProcess.start();
    });
    afterAll(() => minio[Symbol.asyncDispose]());

    test('at each point of storing a photo loses no answer and shows nothing half-made', async () => {
      await using stores = await openStoresElsewhere(minio);
      await dieAtEachPoint(stores);
    });

    testInSoak('at any moment, again and again, keeps every answer', async () => {
      await using stores = await openStoresElsewhere(minio);
      await dieAgainAndAgain(stores);
    });
  });

  test('leaves files without a row, which are collected when they are old', async () => {
    await using data = await preparedData();
    const settings = { SIGHTLINE_DATA: data.path };
    const dying = await startStandalone(
      { ...settings, SIGHTLINE_TEST_DIE_AT: 'before-commit' },
      { main: DYING },
    );
    await dieOver(dying, await drawPhoto({ faces: ['Ada', 'Bea'] }));
    const left = await filesIn(join(data.path, 'media'));
    expect(left).toHaveLength(3);
    const hoursAgo = new Date(Date.now() - 3 * 3_600_000);
    await utimes(left[0]!, hoursAgo, hoursAgo);
    await endLeasesIn(data.path);
    await using service = await startStandalone(settings);
    while ((await filesIn(join(data.path, 'media'))).includes(left[0]!)) await sleep(100);
    expect((await filesIn(join(data.path, 'media'))).sort()).toEqual(left.slice(1).sort());
    expect(await service.inconsistencies()).toEqual([]);
  });

  testInSoak('at any moment, again and again, keeps every answer', async () => {
    await using data = await preparedData();
    await dieAgainAndAgain(storesIn(data.path));
  });
});

test.each(
  sampled(
    [
      ['is killed', 'SIGKILL'],
      ['alone gets a SIGTERM', 'SIGTERM'],
    ],
    1,
  ),
)(
  'a service whose database server %s starts it again and keeps every answer',
  async (_, signal) => {
    await using service = await startStandalone();
    const before = ok(
      await service.client.detectFaces({ body: { file: await freshPhoto({ faces: ['Ada'] }) } }),
    );
    const { pid } = (await findServer(await locationOf(join(service.data, 'postgres'))))!;
    process.kill(pid, signal);
    // The server accepts connections until its process has ended.
    while (isAlive(pid)) await sleep(5);
    await untilHealthSays(service, 'ok');
    const { items } = ok(await service.client.listImages({}));
    expect(items).toMatchObject([{ id: before.source_image_id, detection_count: 1 }]);
    expect(await service.inconsistencies()).toEqual([]);
  },
);

/** The stores of a service that dies. */
interface DyingStores {
  readonly settings: Record<string, string>;
  /** Expires what a dead service held, so that the next one takes it over at once. */
  readonly endLeases: () => Promise<void>;
}

function storesIn(data: string): DyingStores {
  return { settings: { SIGHTLINE_DATA: data }, endLeases: () => endLeasesIn(data) };
}

async function openStoresElsewhere(minio: MinioProcess): Promise<DyingStores & AsyncDisposable> {
  await using opening = new AsyncDisposableStack();
  const data = opening.use(await temporaryData());
  const database = opening.use(await LocalDatabase.migrated());
  const resources = opening.move();
  return {
    settings: {
      SIGHTLINE_DATA: data.path,
      SIGHTLINE_DATABASE_URL: database.url,
      SIGHTLINE_S3_ENDPOINT: minio.endpoint.origin,
      SIGHTLINE_S3_BUCKET: `images-${randomUUID()}`,
      SIGHTLINE_S3_ACCESS_KEY: minio.accessKey,
      SIGHTLINE_S3_SECRET_KEY: minio.secretKey,
    },
    endLeases: () => endLeasesOf(database.connection),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/**
 * Kills the service under load several times, and expects that each new process has everything that was
 * acknowledged.
 */
async function dieAgainAndAgain({ settings, endLeases }: DyingStores): Promise<void> {
  const counts = [5, 1, 2, 3, 4, 6, 7, 8, 9];
  const files = await Promise.all(counts.map((count) => drawPhoto({ faces: people(count) })));
  const answered = new Map<number, number>();
  for (let round = 0; round < ROUNDS; round++) {
    await using service = await startStandalone(settings);
    await expectAnswered(service, answered);
    const load = Promise.all(
      [0, 1, 2].map((turn) => detectForever(service, { files, turn, answered })),
    );
    const dying = async (): Promise<void> => {
      await sleep(300 + 700 * (round % 4));
      // The first answer may take longer on a slow machine.
      while (answered.size === 0 && service.process.exitCode === null) await sleep(10);
      await service.kill();
    };
    await Promise.all([load, dying()]);
    await endLeases();
  }
  await using service = await startStandalone(settings);
  expect(answered.size).toBeGreaterThan(0);
  await expectAnswered(service, answered);
  for (const id of ok(await service.client.listImageIds()).ids) await expectWhole(service, id);
  expect(await service.inconsistencies()).toEqual([]);
}

/**
 * For each point, the service dies while it stores a photo. The next process must have the photo
 * that was acknowledged before, and the other photo completely or not at all.
 */
async function dieAtEachPoint({ settings, endLeases }: DyingStores): Promise<void> {
  const start = (point: DyingPoint | undefined) =>
    startStandalone(
      { ...settings, ...(point !== undefined && { SIGHTLINE_TEST_DIE_AT: point }) },
      { main: DYING },
    );
  const images = new Set<number>();
  await using services = new AsyncDisposableStack();
  let service = services.use(await start(DYING_POINTS[0]));
  const known = await drawPhoto({ faces: ['Beatrice'] });
  const enrolled = ok(await service.client.enrollFace({ body: { name: 'Beatrice', file: known } }));
  images.add(ok(await service.client.listImageIds()).ids[0]!);
  for (const [turn, point] of DYING_POINTS.entries()) {
    const acknowledged = await drawPhoto({ faces: people(turn + 2) });
    const stored = ok(await service.client.detectFaces({ body: { file: acknowledged } }));
    images.add(stored.source_image_id);
    const fresh = await freshPhoto({ faces: ['Beatrice 2'] });
    await dieOver(service, fresh);
    await endLeases();

    service = services.use(await start(DYING_POINTS[turn + 1]));
    const { client } = service;
    expect({ point, found: await service.inconsistencies() }).toEqual({ point, found: [] });
    const { ids } = ok(await client.listImageIds());
    expect(ids).toEqual(expect.arrayContaining([...images]));
    expect({ point, count: ids.length }).toEqual({
      point,
      count: images.size + (COMMITTED[point] ? 1 : 0),
    });
    for (const id of ids) await expectWhole(service, id);
    const again = ok(await client.detectFaces({ body: { file: fresh } }));
    expect({ point, reused: again.reused }).toEqual({ point, reused: COMMITTED[point] });
    expect(again.faces).toMatchObject([{ identity_id: enrolled.identity_id }]);
    images.add(again.source_image_id);
    expect(ok(await client.listImageIds()).ids).toHaveLength(images.size);
  }
}

async function dieOver(service: RunningStandalone, file: File): Promise<void> {
  service.process.kill('SIGUSR2');
  const answer = service.client.detectFaces({ body: { file } }).catch(() => 'broken off');
  const [, signal] = (await once(service.process, 'exit')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
  await answer;
}

/** Expects that the image and all its detections have complete files. */
async function expectWhole(service: RunningStandalone, id: number): Promise<void> {
  const image = ok(await service.client.getImageFaces({ path: { id } }));
  expect(image.faces.length).toBeGreaterThan(0);
  const urls = [image.source_image_url, ...image.faces.map(({ crop_url }) => crop_url)];
  for (const url of urls) {
    const response = await service.fetch(url);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect({ url, status: response.status }).toEqual({ url, status: 200 });
    expect([...bytes.subarray(0, 2), ...bytes.subarray(-2)]).toEqual([0xff, 0xd8, 0xff, 0xd9]);
  }
}

async function expectAnswered(
  service: RunningStandalone,
  answered: ReadonlyMap<number, number>,
): Promise<void> {
  for (const [id, faces] of answered) {
    const image = ok(await service.client.getImageFaces({ path: { id } }));
    expect(image.faces).toHaveLength(faces);
  }
}

/**
 * Posts photos one after the other until the service has died, and records the answers. Retries on
 * 503, because on a busy machine the service may give up a slow store.
 */
async function detectForever(
  service: RunningStandalone,
  work: {
    readonly files: readonly File[];
    readonly turn: number;
    readonly answered: Map<number, number>;
  },
): Promise<void> {
  const { files, turn, answered } = work;
  for (let index = turn; ; index++) {
    const file = files[index % files.length]!;
    const replace = index % 5 === 4;
    const detect = () => service.client.detectFaces({ body: { file, replace } });
    const answer = await untilAvailable(detect).catch(() => 'broken off' as const);
    if (answer === 'broken off') return;
    const { source_image_id, faces } = ok(answer);
    answered.set(source_image_id, faces.length);
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}
