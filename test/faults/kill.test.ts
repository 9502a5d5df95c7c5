import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeWithMinio } from '../support/servers/minio.ts';
import { LocalDatabase } from '../support/servers/local-database.ts';
import { MinioProcess } from '../support/servers/minio-process.ts';
import { ok } from '../support/services/ok.ts';
import { drawPhoto, people } from '../support/fixtures/draw-photo.ts';
import { type RunningStandalone, startStandalone } from '../support/services/running-standalone.ts';
import { preparedData, temporaryData } from '../support/fixtures/temporary-data.ts';
import { untilAvailable } from '../support/servers/until-available.ts';
import { DYING_POINTS, type DyingPoint } from './dying-stores.ts';

const DYING = 'test/faults/dying-standalone.ts';

/** For many starts one after the other, on a machine that may have much else to do. */
const MANY_STARTS_MS = 900_000;

/** Whether the row of what was being written when the process died is there afterwards. */
const COMMITTED = {
  'after-media-put': false,
  'before-commit': false,
  'after-commit': true,
  'before-index-upsert': true,
};

describe('a service that dies', () => {
  test.each(DYING_POINTS)(
    '%s loses nothing that it has answered and shows nothing half-made',
    async (point) => {
      await using data = await preparedData();
      await dieAndReturn({ SIGHTLINE_DATA: data.path }, point);
    },
  );

  describeWithMinio('with its rows and images elsewhere', () => {
    let minio: MinioProcess;

    beforeAll(async () => {
      minio = await MinioProcess.start();
    });
    afterAll(() => minio[Symbol.asyncDispose]());

    test.each(DYING_POINTS)('%s loses nothing there either', async (point) => {
      await using stores = await openStoresElsewhere(minio);
      await dieAndReturn(stores.settings, point);
    });

    test(
      'at any moment, again and again, keeps every answer',
      async () => {
        await using stores = await openStoresElsewhere(minio);
        await dieAgainAndAgain(stores.settings);
      },
      MANY_STARTS_MS,
    );
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
    await using service = await startStandalone(settings);
    while ((await filesIn(join(data.path, 'media'))).includes(left[0]!)) await sleep(100);
    expect((await filesIn(join(data.path, 'media'))).sort()).toEqual(left.slice(1).sort());
    expect(await service.inconsistencies()).toEqual([]);
  });

  test(
    'at any moment, again and again, keeps every answer',
    async () => {
      await using data = await preparedData();
      await dieAgainAndAgain({ SIGHTLINE_DATA: data.path });
    },
    MANY_STARTS_MS,
  );
});

type Settings = Record<string, string>;

interface StoresElsewhere extends AsyncDisposable {
  readonly settings: Settings;
}

/** A Postgres on the network and an S3; only the first key stays with the process. */
async function openStoresElsewhere(minio: MinioProcess): Promise<StoresElsewhere> {
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
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Kills the service under load, and looks for everything that it has answered, time after time. */
async function dieAgainAndAgain(settings: Settings): Promise<void> {
  const counts = [5, 1, 2, 3, 4, 6, 7, 8, 9];
  const files = await Promise.all(counts.map((count) => drawPhoto({ faces: people(count) })));
  const answered = new Map<number, number>();
  for (let round = 0; round < 4; round++) {
    await using service = await startStandalone(settings);
    await expectAnswered(service, answered);
    const load = Promise.all(
      [0, 1, 2].map((turn) => detectForever(service, { files, turn, answered })),
    );
    const dying = async (): Promise<void> => {
      await sleep(300 + 700 * round);
      // However slow the machine is, there are answers to be looked for.
      while (answered.size === 0 && service.process.exitCode === null) await sleep(10);
      await service.kill();
    };
    await Promise.all([load, dying()]);
  }
  await using service = await startStandalone(settings);
  expect(answered.size).toBeGreaterThan(0);
  await expectAnswered(service, answered);
  for (const id of ok(await service.client.listImageIds()).ids) await expectWhole(service, id);
  expect(await service.inconsistencies()).toEqual([]);
}

/** A photo is acknowledged, another is being stored when the process dies, and both are looked for. */
async function dieAndReturn(settings: Settings, point: DyingPoint): Promise<void> {
  const known = await drawPhoto({ faces: ['Beatrice'] });
  const before = await startStandalone(
    { ...settings, SIGHTLINE_TEST_DIE_AT: point },
    { main: DYING },
  );
  const enrolled = ok(await before.client.enrollFace({ body: { name: 'Beatrice', file: known } }));
  const stored = ok(
    await before.client.detectFaces({ body: { file: await drawPhoto({ faces: ['Ada', 'Bea'] }) } }),
  );
  const fresh = await drawPhoto({ faces: ['Beatrice 2'] });
  await dieOver(before, fresh);

  await using after = await startStandalone(settings);
  const { client } = after;
  expect(await after.inconsistencies()).toEqual([]);
  const { ids } = ok(await client.listImageIds());
  expect(ids).toContain(stored.source_image_id);
  expect(ids).toHaveLength(COMMITTED[point] ? 3 : 2);
  for (const id of ids) await expectWhole(after, id);
  const again = ok(await client.detectFaces({ body: { file: fresh } }));
  expect(again.reused).toBe(COMMITTED[point]);
  expect(again.faces).toHaveLength(1);
  expect(again.faces[0]).toMatchObject({ identity_id: enrolled.identity_id });
  expect(ok(await client.listImageIds()).ids).toHaveLength(3);
}

/** Lets the service die while it stores a photo. */
async function dieOver(service: RunningStandalone, file: File): Promise<void> {
  service.process.kill('SIGUSR2');
  const answer = service.client.detectFaces({ body: { file } }).catch(() => 'broken off');
  const [, signal] = (await once(service.process, 'exit')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
  await answer;
}

/** An image whose row is there has its file, and so has every detection of it. */
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
 * Posts photos one after the other until the service is gone; notes what it answers. It is asked
 * again where it finds a store that shares a busy machine too slow.
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
