import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  AnalysisFailed,
  InferenceOverloaded,
  InferenceUnavailable,
} from '@sightline/core/models/model-errors';
import { ImageCorrupt, ImageFetchFailed } from '@sightline/core/sources/image-errors';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { okWith } from '@sightline/test/support/services/ok';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { jobsOf } from '../../testing/jobs-of.ts';
import { faceAt, photo } from '../../testing/people.ts';

let api: ApiServer;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase, {
    imageLimits: { ...DEFAULT_IMAGE_LIMITS, maxBytes: 50 },
    fetchImage: (url) =>
      URL.canParse(url)
        ? Promise.resolve(new TextEncoder().encode(url))
        : Promise.reject(new ImageFetchFailed()),
  });
});
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = () => [faceAt(0)];
});
afterAll(() => api[Symbol.asyncDispose]());

const base64 = (text: string) => Buffer.from(text).toString('base64');
const photos = (count: number) => Array.from({ length: count }, (_, i) => photo(`picture ${i}`));
const urls = (count: number) => Array.from({ length: count }, (_, i) => `http://a.test/${i}`);

async function detect(body: Parameters<typeof api.client.detectBulk>[0]['body']) {
  return okWith(200, await api.client.detectBulk({ body }));
}

async function post(body: object, { query = '', headers = {} } = {}) {
  const response = await api.fetch(`/api/detect/bulk${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body: answer };
}

const detected = { source_image_id: expect.any(Number), faces: [{}], objects: [{}] };

describe('POST /api/detect/bulk takes', () => {
  test('files', async () => {
    const { results, ...batch } = await detect({ file: photos(3) });
    expect(batch).toEqual({ total: 3, type: 'all' });
    expect(results).toMatchObject(
      [0, 1, 2].map((index) => ({ index, filename: `picture ${index}.jpg`, ...detected })),
    );
    expect(Object.keys(results[0]!).sort()).toEqual([
      'faces',
      'filename',
      'index',
      'objects',
      'source_image_id',
    ]);
  });

  test('URLs', async () => {
    const { results } = await detect({ image_urls: urls(2) });
    expect(results).toMatchObject(
      urls(2).map((image_url, index) => ({ index, image_url, ...detected })),
    );
  });

  test('images in JSON, each by its URL or in base64, with references', async () => {
    const { results } = await detect({
      images: [
        { image_base64: base64('in base64'), external_ref: 'album/1' },
        { image_url: 'http://a.test/' },
        { image_base64: `data:image/png;base64,${base64('data URI')}` },
      ],
    });
    expect(results).toMatchObject([
      { index: 0, ...detected },
      { index: 1, image_url: 'http://a.test/', ...detected },
      { index: 2, ...detected },
    ]);
    expect(api.analyzer.requests.map(({ text }) => text).sort()).toEqual([
      'data URI',
      'http://a.test/',
      'in base64',
    ]);
    const { body } = await api.client.listImages({ query: { external_ref: 'album/1' } });
    expect(body!.items).toMatchObject([{ detection_count: 2 }]);
  });

  test('type and replace for all', async () => {
    const before = await detect({ file: photos(1) });
    const after = await detect({ file: photos(1), type: 'faces', replace: true });
    expect(before.results).toMatchObject([{ faces: [{ created: true }] }]);
    expect(after).toMatchObject({
      type: 'faces',
      results: [{ faces: [{ created: true }], objects: [] }],
    });
  });
});

describe('an image', () => {
  test('that is given twice is stored once', async () => {
    const { results } = await detect({ file: [photo('a'), photo('a'), photo('b')] });
    const [first, second, other] = results.map((result) => 'faces' in result && result);
    expect(first).toMatchObject({
      source_image_id: (second as { source_image_id: number }).source_image_id,
    });
    expect(other).not.toMatchObject({
      source_image_id: (first as { source_image_id: number }).source_image_id,
    });
    const { body } = await api.client.countImages();
    expect(body).toEqual({ count: 2 });
    const { body: stats } = await api.client.getStats();
    expect(stats).toMatchObject({ face_detections: 2, object_detections: 2 });
  });

  test('that cannot be worked on fails alone', async () => {
    api.analyzer.before = (text) =>
      text === 'corrupt' ? Promise.reject(new ImageCorrupt('Cut off.')) : Promise.resolve();
    const { results } = await detect({
      images: [
        { image_base64: base64('corrupt') },
        { image_base64: base64('x'.repeat(51)) },
        { image_base64: 'no base64!' },
        { image_base64: '' },
        { image_url: 'http://a.test/', image_base64: base64('both') },
        {},
        { image_url: 'no URL' },
        { image_base64: base64('fine') },
      ],
    });
    const codes = results.map((result) => ('error' in result ? result.error.code : null));
    expect(codes).toEqual([
      'image_corrupt',
      'image_too_large',
      'image_source',
      'image_source',
      'image_source',
      'image_source',
      'image_fetch_failed',
      null,
    ]);
    expect(results[6]).toEqual({
      index: 6,
      image_url: 'no URL',
      error: { code: 'image_fetch_failed', detail: 'The image at this URL cannot be fetched.' },
    });
  });

  test('at a URL with a password is named without it', async () => {
    const body = { image_urls: ['http://ann:hidden@a.test/', 'http://a.test/?sign=kept'] };
    const { results } = await detect(body);
    expect(results).toMatchObject([
      { image_url: 'http://redacted@a.test/' },
      { image_url: 'http://a.test/?sign=kept' },
    ]);
  });

  test('of which inference dies fails alone, and the log says why', async () => {
    api.analyzer.before = (text) =>
      text === 'deadly'
        ? Promise.reject(new AnalysisFailed('Try again.', {}, { cause: new Error('crash') }))
        : Promise.resolve();
    api.log.length = 0;
    const { results } = await detect({ file: [photo('deadly'), photo('fine')] });
    expect(results).toMatchObject([
      { error: { code: 'inference_unavailable', detail: 'Try again.' } },
      detected,
    ]);
    const logged = api.log.filter(({ msg }) => String(msg).startsWith('inference failed'));
    expect(logged).toMatchObject([{ level: 'warn', err: { message: 'crash' } }]);
  });

  test('that is an empty or too large file fails alone', async () => {
    const file = [
      new File([], 'empty.jpg'),
      new File(['x'.repeat(51)], 'large.jpg'),
      photo('fine'),
    ];
    const { results } = await detect({ file });
    expect(results).toMatchObject([
      { index: 0, filename: 'empty.jpg', error: { code: 'image_source' } },
      { index: 1, filename: 'large.jpg', error: { code: 'image_too_large' } },
      { index: 2, filename: 'fine.jpg', ...detected },
    ]);
  });
});

describe('a request', () => {
  test('waits while inference is overloaded', async () => {
    let refusals = 3;
    api.analyzer.before = () =>
      refusals-- > 0 ? Promise.reject(new InferenceOverloaded(0.01)) : Promise.resolve();
    const { results } = await detect({
      images: [{ image_base64: base64('a') }, { image_url: 'http://a.test/' }],
    });
    expect(results).toMatchObject([detected, detected]);
  });

  test('fails as a whole without inference', async () => {
    api.analyzer.before = () => Promise.reject(new InferenceUnavailable('No worker is running.'));
    expect(await post({ image_urls: urls(2) })).toMatchObject({
      status: 503,
      body: { code: 'inference_unavailable' },
    });
  });

  test('is answered once per Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'bulk' };
    const images = [{ image_base64: base64('a') }, { image_base64: base64('b') }];
    const first = await post({ images }, { headers });
    const again = await post({ images }, { headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(await post({ images: images.toReversed() }, { headers })).toMatchObject({
      status: 409,
      body: { code: 'idempotency_mismatch' },
    });
    expect(api.analyzer.requests).toHaveLength(2);
  });

  test('has as many images as are done at once, and not one more', async () => {
    expect((await detect({ image_urls: urls(20) })).total).toBe(20);
    const answers = [
      await post({ image_urls: urls(21) }),
      await post({ images: urls(21).map((image_url) => ({ image_url })) }),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ path: 'images' }] },
      });
    }
    const { problem } = await api.client.detectBulk({ body: { file: photos(21) } });
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  test.each<[string, object]>([
    ['no images', {}],
    ['null for images', { images: null, image_urls: null }],
    ['two kinds', { image_urls: urls(1), images: [{ image_url: 'http://a.test/' }] }],
  ])('with %s is refused', async (_, body) => {
    expect(await post(body)).toMatchObject({ status: 400, body: { code: 'image_source' } });
  });

  test.each([1, 2])('with a file and %d URLs is refused', async (count) => {
    const body = { file: photos(1), image_urls: urls(count) };
    const { problem } = await api.client.detectBulk({ body });
    expect(problem).toMatchObject({ status: 400, code: 'image_source' });
  });

  test.each<[string, object, string]>([
    ['an empty list', { image_urls: [] }, 'image_urls'],
    ['more images than any job has', { image_urls: urls(201) }, 'image_urls'],
    ['a URL that is no text', { image_urls: [1] }, 'image_urls.0'],
    ['an image that is no object', { images: ['http://a.test/'] }, 'images.0'],
    ['base64 that is no text', { images: [{ image_base64: 5 }] }, 'images.0.image_base64'],
    [
      'a reference that cannot be stored',
      { images: [{ external_ref: '\0' }] },
      'images.0.external_ref',
    ],
    ['another type', { image_urls: urls(1), type: 'face' }, 'type'],
  ])('with %s is refused', async (_, body, path) => {
    expect(await post(body)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path }] },
    });
    expect((await api.client.countImages()).body).toEqual({ count: 0 });
  });
});

async function uploads(): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of api.media.list('')) if (key.includes('/uploads/')) keys.push(key);
  return keys;
}

describe('with async=true', () => {
  const later = { query: { async: true } };
  const LATER = { query: '?async=true' };
  const started = { job_id: expect.any(Number), status: 'pending' };

  test('files and base64 are kept, and the answer comes at once', async () => {
    api.analyzer.before = () => Promise.reject(new TypeError('analyzed too early'));
    const before = await uploads();
    const files = await api.client.detectBulk({ ...later, body: { file: photos(3) } });
    expect(okWith(202, files)).toEqual({ ...started, total: 3 });
    const images = [{ image_base64: base64('a') }, { image_url: 'http://a.test/' }, {}];
    expect(await post({ images }, LATER)).toMatchObject({
      status: 202,
      body: { ...started, total: 3 },
    });
    expect(await uploads()).toHaveLength(before.length + 4);
  });

  test('up to 200 images are taken, and not one more', async () => {
    expect(await post({ image_urls: urls(200) }, LATER)).toMatchObject({
      status: 202,
      body: { total: 200 },
    });
    expect(await post({ image_urls: urls(201) }, LATER)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
    const { problem } = await api.client.detectBulk({ ...later, body: { file: photos(201) } });
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
    expect(await jobsOf(api)).toHaveLength(1);
  });

  test('images of no kind, or of two, are refused', async () => {
    for (const body of [{}, { image_urls: urls(1), images: [{}] }]) {
      expect(await post(body, LATER)).toMatchObject({
        status: 400,
        body: { code: 'image_source' },
      });
    }
    expect(await jobsOf(api)).toEqual([]);
  });

  test('there is one job per Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': 'bulk-job' };
    const images = [{ image_base64: base64('a') }];
    const first = await post({ images }, { ...LATER, headers });
    const kept = await uploads();
    const again = await post({ images }, { ...LATER, headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(await uploads()).toEqual(kept);
    expect(await jobsOf(api)).toHaveLength(1);
  });

  test('with 100 unfinished jobs it is 429, and nothing is kept', async () => {
    for (let i = 0; i < 100; i++) await post({ image_urls: urls(1) }, LATER);
    const before = await uploads();
    const answer = await post({ images: [{ image_base64: base64('a') }] }, LATER);
    expect(answer).toMatchObject({ status: 429, body: { code: 'too_many_jobs' } });
    expect(answer.headers.get('Retry-After')).not.toBeNull();
    expect(await uploads()).toEqual(before);
    // The service refuses this request before it reads the body. A request with a key may be a retry, so its body is read.
    expect(await post({}, LATER)).toMatchObject({ status: 429 });
    const keyed = { ...LATER, headers: { 'Idempotency-Key': 'too-many' } };
    expect(await post({}, keyed)).toMatchObject({ status: 400 });
  });
});
