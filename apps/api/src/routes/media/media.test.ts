import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { oneFace, photo } from '../../testing/people.ts';

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
      expect((await api.client.deleteImage({ path: { id } })).status).toBe(200);
      return open(...args);
    });
    api.log.length = 0;
    expect((await api.fetch(source)).status).toBe(404);
    expect(opened).toHaveBeenCalledTimes(1);
    expect(api.log.filter(({ level }) => level === 'error')).toEqual([]);
  });
});
