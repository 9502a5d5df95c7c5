import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { collectOrphans } from '@sightline/core/maintenance/collect-orphans';
import { jpegSize } from '@sightline/core/media/jpeg-size';
import { InferenceOverloaded, InferenceUnavailable } from '@sightline/core/models/model-errors';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { faceAt, oneFace, photo } from '../../testing/people.ts';

let api: ApiServer;
let source: string;
let crop: string;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
});
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = oneFace;
  const { body } = await api.client.detectFaces({ body: { file: photo('0') } });
  source = body!.source_image_url;
  crop = body!.faces[0]!.crop_url;
});
afterAll(() => api[Symbol.asyncDispose]());

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());

describe('a stored file', () => {
  test('is served under its digest, with a long cache lifetime', async () => {
    for (const path of [source, crop]) {
      const response = await api.fetch(path);
      const bytes = await bytesOf(response);
      const digest = createHash('sha256').update(bytes).digest('hex');
      expect(response.status).toBe(200);
      expect(path).toContain(`/${digest}.jpg`);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        'content-type': 'image/jpeg',
        'content-length': String(bytes.length),
        'accept-ranges': 'bytes',
        etag: `"${digest}"`,
        'cache-control': 'private, max-age=86400, immutable',
        'x-content-type-options': 'nosniff',
      });
    }
  });

  test('is not sent again to a client that has it', async () => {
    const etag = (await api.fetch(source)).headers.get('etag')!;
    for (const tags of [etag, `"other", W/${etag}`, '*']) {
      const response = await api.fetch(source, { headers: { 'If-None-Match': tags } });
      expect(response.status).toBe(304);
      expect(response.headers.get('etag')).toBe(etag);
      expect(response.headers.get('cache-control')).toContain('immutable');
      expect(await response.text()).toBe('');
    }
    const other = await api.fetch(source, { headers: { 'If-None-Match': '"other"' } });
    expect(other.status).toBe(200);
  });

  test.each([
    ['bytes=0-1', 0, 2],
    ['bytes=2-', 2, undefined],
    ['bytes=-4', -4, undefined],
    ['bytes=5-999999', 5, undefined],
  ])('is served in part: %s', async (range, first, end) => {
    const whole = await bytesOf(await api.fetch(source));
    const response = await api.fetch(source, { headers: { Range: range } });
    const part = await bytesOf(response);
    expect(response.status).toBe(206);
    expect(part).toEqual(whole.slice(first, end));
    const from = first < 0 ? whole.length + first : first;
    expect(response.headers.get('content-range')).toBe(
      `bytes ${from}-${from + part.length - 1}/${whole.length}`,
    );
    expect(response.headers.get('content-length')).toBe(String(part.length));
  });

  test('is served whole if the range is invalid, or meant for another version', async () => {
    const ranges = [{ Range: 'bytes=0-1,4-5' }, { Range: 'bytes=0-1', 'If-Range': '"other"' }];
    for (const headers of ranges) {
      expect((await api.fetch(source, { headers })).status).toBe(200);
    }
    const etag = (await api.fetch(source)).headers.get('etag')!;
    const same = await api.fetch(source, { headers: { Range: 'bytes=0-1', 'If-Range': etag } });
    expect(same.status).toBe(206);
  });

  test('refuses a range behind its end', async () => {
    const { length } = await bytesOf(await api.fetch(source));
    const response = await api.fetch(source, { headers: { Range: `bytes=${length}-` } });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe(`bytes */${length}`);
    expect(await response.json()).toMatchObject({ code: 'range_not_satisfiable' });
  });

  test('answers HEAD', async () => {
    const whole = await bytesOf(await api.fetch(crop));
    const response = await api.fetch(crop, { method: 'HEAD' });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(String(whole.length));
    expect(await response.text()).toBe('');
  });

  test('is not found with a key of another environment, and refused without one', async () => {
    const theirs = await api.createKey({ environment: 'another' });
    for (const path of [source, crop]) {
      expect((await api.fetch(path, { headers: { 'X-API-Key': theirs } })).status).toBe(404);
      expect((await fetch(api.base + path)).status).toBe(401);
      const reader = await api.createKey({ right: 'read' });
      expect((await api.fetch(path, { headers: { 'X-API-Key': reader } })).status).toBe(200);
    }
  });

  test.each([
    ['another digest', (path: string) => path.replace(/[0-9a-f]{64}/, 'a'.repeat(64)), 404],
    ['no digest', (path: string) => path.replace(/[0-9a-f]{64}/, 'photo'), 404],
    ['another id', (path: string) => path.replace(/\/\d+\//, '/999999999/'), 404],
    ['no id', (path: string) => path.replace(/\/\d+\//, '/seven/'), 400],
    ['another ending', (path: string) => path.replace('.jpg', '.png'), 404],
    [
      'a path to another folder',
      (path: string) => path.replace(/[0-9a-f]{64}/, '..%2f..%2fsecret'),
      404,
    ],
  ])('is not found under %s', async (_, change, status) => {
    for (const path of [source, crop]) {
      const response = await api.fetch(change(path));
      expect(response.status).toBe(status);
      expect(response.headers.has('etag')).toBe(false);
    }
  });

  test('that is missing is 404, and the log says so', async () => {
    const id = Number(source.split('/')[3]);
    const { id: environmentId } = await api.stores.keys.environment(api.environment);
    const row = await api.stores.database.withScope({ environmentId }, ({ sources }) =>
      sources.byId(id),
    );
    await api.media.remove([row!.mediaKey]);
    api.log.length = 0;
    const response = await api.fetch(source);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'not_found' });
    const logged = api.log.find(({ level }) => level === 'error');
    expect(logged).toMatchObject({
      key: row!.mediaKey,
      msg: 'the database refers to an image file that is missing in the media store',
    });
  });
  test('that is deleted between its row and its file is 404, and no defect', async () => {
    const open = api.media.open.bind(api.media);
    using opened = jest.spyOn(api.media, 'open').mockImplementationOnce(async (...args) => {
      const id = Number(source.split('/')[3]);
      const purge = { path: { id }, query: { purge: true } };
      expect((await api.client.deleteImage(purge)).status).toBe(200);
      return open(...args);
    });
    api.log.length = 0;
    expect((await api.fetch(source)).status).toBe(404);
    expect(opened).toHaveBeenCalledTimes(1);
    expect(api.log.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('a smaller JPEG', () => {
  beforeEach(async () => {
    await api.reset();
    api.analyzer.encodesSizes = true;
    api.analyzer.imageOf = () => ({ width: 900, height: 600 });
    api.analyzer.facesOf = () => [faceAt(0, { bbox: { x: 0, y: 0, w: 300, h: 200 } })];
    const { body } = await api.client.detectFaces({ body: { file: photo('0') } });
    source = body!.source_image_url;
    crop = body!.faces[0]!.crop_url;
    api.analyzer.requests.length = 0;
  });

  const filesOf = async () => {
    const { id } = await api.stores.keys.environment(api.environment);
    const entries = await Array.fromAsync(api.media.list(`${id}/renditions/`));
    return entries.map(({ key }) => key);
  };
  const storage = async () => (await api.client.getStats()).body!.storage_bytes;

  test.each([
    ['crop', 96],
    ['source', 384],
  ] as const)('of a %s is made once, and has an ETag of its own', async (name, w) => {
    const path = name === 'crop' ? crop : source;
    const before = await storage();
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => api.fetch(`${path}?w=${w}`)),
    );
    const bytes = await Promise.all(responses.map(bytesOf));
    expect(jpegSize(bytes[0]!)).toEqual({ width: w, height: Math.round((w * 2) / 3) });
    expect(bytes.every((each) => Buffer.from(each).equals(bytes[0]!))).toBe(true);
    const digest = createHash('sha256').update(bytes[0]!).digest('hex');
    for (const { status, headers } of responses) {
      expect(status).toBe(200);
      expect(headers.get('etag')).toBe(`"${digest}"`);
      expect(headers.get('cache-control')).toBe('private, max-age=86400, immutable');
    }
    expect(api.analyzer.requests).toHaveLength(1);
    expect(await filesOf()).toHaveLength(1);
    expect(await storage()).toBe(before + bytes[0]!.length);
    const headers = { 'If-None-Match': `"${digest}"` };
    expect((await api.fetch(`${path}?w=${w}`, { headers })).status).toBe(304);
    expect((await api.fetch(path)).headers.get('etag')).not.toBe(`"${digest}"`);
  });

  test('is never larger than the file, whose bytes are sent then', async () => {
    const whole = await api.fetch(crop);
    const response = await api.fetch(`${crop}?w=384`);
    expect(await bytesOf(response)).toEqual(await bytesOf(whole));
    expect(response.headers.get('etag')).toBe(whole.headers.get('etag'));
    expect(await filesOf()).toEqual([]);
    expect(api.analyzer.requests).toEqual([]);
  });

  test.each(['95', '768', '0', '-96', '96.5', 'wide', ''])('has no width %s', async (w) => {
    const response = await api.fetch(`${crop}?w=${w}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: 'w' }],
    });
    expect((await api.fetch(`${source}?w=96`)).status).toBe(400);
  });

  test('is replaced by the whole file without inference, which clients do not keep', async () => {
    const whole = await bytesOf(await api.fetch(crop));
    for (const error of [new InferenceUnavailable('down'), new InferenceOverloaded(1)]) {
      api.analyzer.before = () => Promise.reject(error);
      const response = await api.fetch(`${crop}?w=96`);
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(await bytesOf(response)).toEqual(whole);
    }
    api.analyzer.before = () => Promise.resolve();
    const response = await api.fetch(`${crop}?w=96`);
    expect(response.headers.get('cache-control')).toContain('immutable');
    expect(jpegSize(await bytesOf(response))).toEqual({ width: 96, height: 64 });
  });

  test('is made again if its file is lost', async () => {
    await api.fetch(`${crop}?w=96`);
    await api.media.remove(await filesOf());
    expect((await api.fetch(`${crop}?w=96`)).headers.get('cache-control')).toBe('no-store');
    const response = await api.fetch(`${crop}?w=96`);
    expect(response.headers.get('cache-control')).toContain('immutable');
    expect(await filesOf()).toHaveLength(1);
  });

  test('is deleted with its record', async () => {
    const before = await storage();
    const id = Number(source.split('/')[3]);
    await api.fetch(`${crop}?w=96`);
    await api.fetch(`${crop}?w=192`);
    await api.client.reprocessImage({ path: { id }, query: { type: 'faces', replace: true } });
    expect(await filesOf()).toEqual([]);
    expect(await storage()).toBe(before);
    const { body } = await api.client.getImage({ path: { id } });
    await api.fetch(`${body!.faces[0]!.crop_url}?w=96`);
    await api.fetch(`${source}?w=768`);
    expect(await filesOf()).toHaveLength(2);
    await api.client.deleteImage({ path: { id }, query: { purge: true } });
    expect(await filesOf()).toEqual([]);
    expect(await storage()).toBe(0);
  });

  test('that another process has stored stays, and is neither an orphan nor a contradiction', async () => {
    await api.fetch(`${crop}?w=96`);
    const [stored] = await filesOf();
    const { id: environmentId } = await api.stores.keys.environment(api.environment);
    const subject = { kind: 'detection', id: Number(crop.split('/')[3]) } as const;
    const other = { width: 96, key: `${environmentId}/renditions/other`, bytes: 1 };
    const add = (id: number) =>
      api.stores.database.withEntities({ environmentId, locks: [] }, ({ renditions }) =>
        renditions.add({ ...subject, id }, other),
      );
    expect(await add(subject.id)).toBe(stored);
    expect(await add(999_999_999)).toBeNull();
    const { maintenance } = api.stores;
    await collectOrphans({ media: api.media, maintenance }, 0);
    expect(await filesOf()).toEqual([stored]);
    expect(await maintenance.contradictions()).toEqual([]);
  });

  test('is found in no other environment', async () => {
    await api.fetch(`${crop}?w=96`);
    const theirs = await api.createKey({ environment: 'another' });
    const response = await api.fetch(`${crop}?w=96`, { headers: { 'X-API-Key': theirs } });
    expect(response.status).toBe(404);
  });
});
