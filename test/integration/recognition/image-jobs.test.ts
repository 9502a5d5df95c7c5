import { beforeEach, describe, expect, test } from '@jest/globals';
import type { PostedImage } from '@sightline/core/recognition/read-posted';
import { detectBulk, type NamedImage } from '@sightline/core/recognition/detect-bulk';
import { startBulkImages } from '@sightline/core/curation/bulk/start-bulk-images';
import { reprocessImages } from '@sightline/core/recognition/reprocess-images';
import { digestOf } from '@sightline/core/media/digest-of';
import type { Job } from '@sightline/core/jobs/job';
import { InferenceOverloaded, InferenceUnavailable } from '@sightline/core/models/model-errors';
import { ImageFetchFailed, ImageSourceInvalid } from '@sightline/core/sources/image-errors';
import type { FetchImage, FetchLimits } from '@sightline/core/sources/fetch-image';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { CurrentOperation } from '@sightline/core/store/current-operation';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { AesSecretBox } from '@sightline/composition/secrets/aes-secret-box';
import { bulkDetectJob } from '@sightline/background/worker/jobs/bulk-detect-job';
import { bulkImagesJob } from '@sightline/background/worker/jobs/bulk-images-job';
import { reprocessJob } from '@sightline/background/worker/jobs/reprocess-job';
import {
  aroundRecognition,
  faceAt,
  photo,
  type RecognitionFixture,
  type RecognitionTurn,
} from '../../support/fixtures/recognition-fixture.ts';
import { runItem } from '../../support/fixtures/run-jobs.ts';
import { createJob, killHolders, imagesJob } from '../../support/fixtures/seed-jobs.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';

let fixture: RecognitionFixture;
let home: SeededEnvironment;
let guest: RecognitionTurn['guest'];
let fetchImage: FetchImage;

aroundRecognition((turn) => ({ fixture, home, guest } = turn));

beforeEach(() => {
  fixture.analyzer.before = () => Promise.resolve();
  fixture.analyzer.requests.length = 0;
  fetchImage = (url) => Promise.resolve(Uint8Array.from(photo(url)));
  for (const text of ['a', 'b', 'http://a.test/']) {
    fixture.scenes.set(text, { faces: [faceAt(0)] });
  }
});

const { signal } = new AbortController();
const secrets = new AesSecretBox(() => [Buffer.alloc(32, 7)]);

function file(text: string, source: PostedImage['source'] = () => photo(text)): NamedImage {
  return { name: { filename: `${text}.jpg` }, source };
}

function atUrl(url: string): NamedImage {
  return { name: { imageUrl: url }, source: url };
}

function bulk(
  images: readonly NamedImage[],
  changes: object = {},
  { replace = false }: { readonly replace?: boolean } = {},
): Promise<Job> {
  const request = { scope: home.scope, images, types: 'faces', replace } as const;
  return detectBulk({ ...fixture.store, secrets, ...changes }, request, { signal });
}

function work(): Promise<boolean> {
  const deps = {
    ...fixture.process(),
    imageLimits: DEFAULT_IMAGE_LIMITS,
    secrets,
    fetchImage: (url: string, limits: FetchLimits) => fetchImage(url, limits),
  };
  const works = {
    bulk_detect: bulkDetectJob(deps),
    reprocess: reprocessJob(deps),
    bulk_images: bulkImagesJob(deps),
  };
  return runItem(fixture.store, works);
}

async function workOff(): Promise<void> {
  while (await work());
}

function stateOf({ id }: Job) {
  return fixture.store.database.withScope(home.scope, ({ jobs }) => jobs.byId(id));
}

function detection(id: number) {
  return fixture.store.database.withScope(home.scope, ({ detections }) => detections.byId(id));
}

function endsOf({ id }: Job) {
  return fixture.store.database.withScope(home.scope, ({ jobs }) =>
    jobs.endedItems(id, { after: -1, limit: 300 }),
  );
}

async function resultsOf(job: Job) {
  return (await endsOf(job)).map(({ result, error }) => error?.code ?? result);
}

const uploads = async () =>
  (await fixture.store.files(home.scope)).filter((key) => key.includes('/uploads/'));

const jobsDone = async () =>
  (await home.events()).filter(({ event }) => event === 'job.done').map(({ data }) => data);

describe('a job of images that were handed in', () => {
  test('keeps files until their turn comes, and not longer', async () => {
    const job = await bulk([file('a'), atUrl('http://a.test/'), file('b')]);
    expect(job).toMatchObject({ status: 'pending', total: 3, done: 0, failed: 0 });
    expect(await uploads()).toHaveLength(2);
    expect(await fixture.findings()).toEqual([]);
    await work();
    expect(await stateOf(job)).toMatchObject({ status: 'running', done: 1 });
    expect(await uploads()).toHaveLength(1);
    await workOff();
    expect(await uploads()).toEqual([]);
    expect(await stateOf(job)).toMatchObject({ status: 'done', done: 3, failed: 0 });
    expect(await jobsDone()).toMatchObject([{ job_id: job.id, total: 3, done: 3, failed: 0 }]);
  });

  test('has the results of a synchronous request', async () => {
    const job = await bulk([
      file('a'),
      atUrl('http://a.test/'),
      { name: {}, source: () => photo('b') },
    ]);
    await workOff();
    const found = { source_image_id: expect.any(Number), faces: [{ created: true }], objects: [] };
    expect(await resultsOf(job)).toMatchObject([
      { index: 0, filename: 'a.jpg', ...found },
      { index: 1, image_url: 'http://a.test/', ...found },
      { index: 2, ...found },
    ]);
  });

  test('keeps the credentials of a URL encrypted, and only until its item ends', async () => {
    const fetched: string[] = [];
    fetchImage = (url) => {
      fetched.push(url);
      return Promise.resolve(Uint8Array.from(photo('a')));
    };
    const url = 'http://ann:top%20secret@a.test/';
    const image = { name: { imageUrl: 'http://redacted@a.test/' }, source: url };
    const [job, cancelled] = [await bulk([image, file('b')]), await bulk([image])];
    const rows = () =>
      fixture.store.query('SELECT input FROM job_items WHERE job_id = ANY ($1) ORDER BY job_id', [
        [job.id, cancelled.id],
      ]);
    const before = JSON.stringify(await rows());
    expect(before).toContain('"credentials":"');
    expect(before).not.toContain('secret');
    await fixture.store.database.withEntities({ ...home.scope, locks: [] }, (tx) =>
      tx.jobs.cancel(cancelled.id),
    );
    await workOff();
    expect(fetched).toEqual([url]);
    expect(JSON.stringify(await rows())).not.toContain('credentials');
    expect(JSON.stringify(await resultsOf(job))).not.toContain('ann');
  });

  test('is refused if the credentials of a URL cannot be encrypted', async () => {
    const image = { name: {}, source: 'http://ann@a.test/' };
    const refused = bulk([file('a'), image], { secrets: new AesSecretBox(null) });
    await expect(refused).rejects.toThrow('SIGHTLINE_SECRET_KEY');
    expect(await uploads()).toEqual([]);
  });

  test('stores the same image once', async () => {
    const job = await bulk([file('a'), file('b'), file('a')]);
    await Promise.all([work(), work(), work()]);
    const ids = (await resultsOf(job)).map(
      (result) => (result as { source_image_id: number }).source_image_id,
    );
    expect(ids[2]).toBe(ids[0]);
    expect(new Set(ids).size).toBe(2);
    expect(await guest.detectionsOf(ids[0]!)).toHaveLength(1);
  });

  test('stores references, and takes settings as they are when a turn comes', async () => {
    let limits: FetchLimits | undefined;
    fetchImage = (url, given) => {
      limits = given;
      return Promise.resolve(Uint8Array.from(photo(url)));
    };
    const job = await bulk([{ ...atUrl('http://a.test/'), externalRef: 'album/1' }]);
    await fixture.store.systemSettings.put('system.url_fetch_timeout_seconds', 3);
    try {
      await workOff();
    } finally {
      await fixture.store.systemSettings.put('system.url_fetch_timeout_seconds', null);
    }
    expect(limits).toMatchObject({ timeoutMs: 3000 });
    const [result] = (await resultsOf(job)) as { source_image_id: number }[];
    const stored = await fixture.store.database.withScope(home.scope, ({ sources }) =>
      sources.byId(result!.source_image_id),
    );
    expect(stored).toMatchObject({ externalRef: 'album/1' });
  });

  test('fails items whose image is none, alone', async () => {
    fetchImage = () => Promise.reject(new ImageFetchFailed());
    const empty = () => Promise.reject(new ImageSourceInvalid('The file in file is empty.'));
    const job = await bulk([
      file('empty', empty),
      atUrl('http://a.test/'),
      file('gone'),
      file('a'),
    ]);
    const gone = (await uploads()).filter((key) => key.includes(digestOf(photo('gone'))));
    await fixture.store.media.remove(gone);
    await workOff();
    expect(await resultsOf(job)).toMatchObject([
      'image_source',
      'image_fetch_failed',
      'image_corrupt',
      { faces: [{}] },
    ]);
    expect(await stateOf(job)).toMatchObject({ status: 'done', done: 1, failed: 3 });
    // The row of the failed item still names its upload.
    await fixture.store.query('DELETE FROM jobs WHERE id = $1', [job.id]);
  });

  test('waits for inference that is away, and out an overload', async () => {
    const job = await bulk([file('a')]);
    const attempts = [new InferenceUnavailable('Down.'), new InferenceOverloaded(0.01)];
    fixture.analyzer.before = () => {
      const error = attempts.shift();
      return error ? Promise.reject(error) : Promise.resolve();
    };
    await work();
    expect(await stateOf(job)).toMatchObject({ done: 0, failed: 0 });
    expect(await uploads()).toHaveLength(1);
    await fixture.store.query(`UPDATE jobs SET paused_until = NULL`);
    await workOff();
    expect(await stateOf(job)).toMatchObject({ status: 'done', done: 1 });
    expect(fixture.analyzer.requests).toHaveLength(3);
  });

  test('applies nothing of a process that was paused', async () => {
    const job = await bulk([file('a')]);
    const other = Promise.withResolvers<boolean>();
    fixture.analyzer.before = async () => {
      fixture.analyzer.before = () => Promise.resolve();
      await killHolders(fixture.store);
      work().then(other.resolve, other.reject);
      await other.promise;
    };
    await work();
    expect(await resultsOf(job)).toMatchObject([{ faces: [{ created: true }] }]);
    expect(await jobsDone()).toHaveLength(1);
  });

  test('is the work of the environment, not of a key', async () => {
    await bulk([file('a')]);
    await workOff();
    expect(fixture.analyzer.requests).toMatchObject([
      { tenant: { environment: String(home.scope.environmentId), caller: 'jobs' } },
    ]);
  });
});

describe('no job is made, and nothing is left', () => {
  test('if a file cannot be stored', async () => {
    let puts = 0;
    const media = {
      remove: (keys: readonly string[]) => fixture.store.media.remove(keys),
      put: (key: string, bytes: Uint8Array) =>
        ++puts === 3
          ? Promise.reject(new StoreUnavailable('Full.'))
          : fixture.store.media.put(key, bytes),
    };
    const images = ['a', 'b', 'c', 'd', 'e', 'f'].map((text) => file(text));
    await expect(bulk(images, { media })).rejects.toBeInstanceOf(StoreUnavailable);
    expect(await uploads()).toEqual([]);
    expect(await work()).toBe(false);
  });

  test('if the environment has as many as it may have', async () => {
    for (let i = 0; i < 100; i++) await createJob(fixture.store, home, imagesJob(1));
    await expect(bulk([file('a')])).rejects.toMatchObject({ code: 'too_many_jobs' });
    expect(await uploads()).toEqual([]);
    await fixture.store.query('DELETE FROM jobs WHERE environment_id = $1', [
      home.scope.environmentId,
    ]);
  });
});

describe('a job of stored images', () => {
  test('reprocesses them, and fails those that are unknown', async () => {
    const { source } = await guest.detect('a');
    const unknown = source.id + 1_000_000;
    const request = {
      scope: home.scope,
      ids: [source.id, unknown],
      types: 'faces',
      replace: true,
    } as const;
    const job = await reprocessImages(fixture.store, request, { signal });
    expect(job).toMatchObject({ type: 'reprocess', status: 'pending', total: 2 });
    await workOff();
    expect(await resultsOf(job)).toEqual([
      { index: 0, source_image_id: source.id, faces: [], objects: [] },
      'not_found',
    ]);
    expect(await stateOf(job)).toMatchObject({ status: 'done', done: 1, failed: 1 });
  });

  test('keeps detections about which people decided, as an operation of the service', async () => {
    const { source, faces } = await guest.detect('a');
    const confirmed = faces[0]!.detection.id;
    await fixture.store.query(`UPDATE detections SET decided_by = 'human' WHERE id = $1`, [
      confirmed,
    ]);
    const request = { scope: home.scope, types: 'faces', replace: true } as const;
    const stored = await reprocessImages(
      fixture.store,
      { ...request, ids: [source.id] },
      { signal },
    );
    await workOff();
    const posted = await bulk([file('a')], {}, { replace: true });
    await workOff();
    const [[ofStored], [ofPosted]] = [await resultsOf(stored), await resultsOf(posted)];
    const { operation_id: id } = ofStored as { operation_id: number };
    expect(ofPosted).not.toHaveProperty('operation_id');
    const page = { before: null, limit: 10 };
    const { items } = await fixture.store.database.withScope(home.scope, ({ operations }) =>
      operations.list({}, page),
    );
    expect(items).toMatchObject([{ id, kind: 'replace', count: 1, accountId: null, keyId: null }]);
  });

  test('of a filter is one operation for all images', async () => {
    const runs = [await guest.detect('a'), await guest.detect('b')];
    const confirmed = runs.map(({ faces }) => faces[0]!.detection.id);
    await fixture.store.query(
      `UPDATE detections SET decided_by = 'human' WHERE id = any($1::bigint[])`,
      [confirmed],
    );
    const actor = { kind: 'request', accountId: null, keyId: 3, requestId: 'r' } as const;
    const scope = { ...home.scope, actor, operation: new CurrentOperation('bulk_images') };
    const job = await startBulkImages(
      fixture.store,
      {
        scope,
        where: {},
        bulk: { action: 'reprocess', types: 'faces', replace: true },
      },
      { signal },
    );
    await Promise.all([workOff(), workOff()]);
    expect(await stateOf(job)).toMatchObject({ status: 'done', total: 2, done: 2 });
    const read = fixture.store.database.withScope(home.scope, ({ operations }) =>
      operations.list({}, { before: null, limit: 10 }),
    );
    const operation = { id: job.operationId, kind: 'bulk_images', count: 2, keyId: 3 };
    expect((await read).items).toMatchObject([operation]);
    for (const id of confirmed) expect(await detection(id)).toBeNull();
  });

  test('of none is done at once', async () => {
    const request = { scope: home.scope, ids: [], types: 'all', replace: false } as const;
    const job = await reprocessImages(fixture.store, request, { signal });
    expect(job).toMatchObject({ status: 'done', total: 0 });
    expect(await jobsDone()).toHaveLength(1);
  });
});
