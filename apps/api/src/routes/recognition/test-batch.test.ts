import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { InferenceOverloaded, InferenceUnavailable } from '@sightline/core/models/model-errors';
import { ImageCorrupt } from '@sightline/core/sources/image-errors';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';

let api: ApiServer;

beforeEach(() => api.reset());
beforeAll(async () => {
  api = await startApi(createMigratedDatabase, {
    imageLimits: { ...DEFAULT_IMAGE_LIMITS, maxBytes: 50 },
  });
});
afterAll(() => api[Symbol.asyncDispose]());

function files(count: number): File[] {
  return Array.from({ length: count }, (_, i) => new File([`picture ${i}`], `${i}.jpg`));
}

describe('POST /api/test/batch', () => {
  test('answers in the order of the request, each image with its own bytes', async () => {
    const { status, body } = await api.client.testBatch({
      query: { type: 'faces' },
      body: { file: files(5) },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({ total: 5, type: 'faces' });
    expect(body!.results.map(({ index, filename }) => [index, filename])).toEqual(
      [0, 1, 2, 3, 4].map((i) => [i, `${i}.jpg`]),
    );
    expect(body!.results[3]).toMatchObject({ counts: { faces: 1, objects: 0 } });
    const texts = api.analyzer.requests.map(({ text }) => text).sort();
    expect(texts).toEqual([0, 1, 2, 3, 4].map((i) => `picture ${i}`));
  });

  test('gives a bad image an error and the others their answers', async () => {
    api.analyzer.before = (text) =>
      text === 'picture 1'
        ? Promise.reject(new ImageCorrupt('The image is cut off.'))
        : Promise.resolve();
    const given = [...files(3), new File([], 'empty.jpg'), new File(['x'.repeat(51)], 'large.jpg')];
    const { body } = await api.client.testBatch({ body: { file: given } });
    const errors = body!.results.map((result) => ('error' in result ? result.error : null));
    expect(errors).toEqual([
      null,
      'The image is cut off.',
      null,
      'The file in file is empty.',
      'The image has more than 50 bytes.',
    ]);
  });

  test('retries an image for which inference was too busy', async () => {
    let refusals = 3;
    api.analyzer.before = () =>
      refusals-- > 0 ? Promise.reject(new InferenceOverloaded(0.01)) : Promise.resolve();
    const { body } = await api.client.testBatch({ body: { file: files(3) } });
    expect(body!.results.filter((result) => 'error' in result)).toEqual([]);
    expect(api.analyzer.requests).toHaveLength(6);
  });

  test('logs once why inference failed, with the cause', async () => {
    const crash = () => new InferenceUnavailable('Try again.', {}, { cause: new Error('crash') });
    api.analyzer.before = () => Promise.reject(crash());
    api.log.length = 0;
    const { body } = await api.client.testBatch({ body: { file: files(4) } });
    expect(body!.results).toMatchObject(Array.from({ length: 4 }, () => ({ error: 'Try again.' })));
    const logged = api.log.filter(({ msg }) => String(msg).startsWith('inference failed'));
    expect(logged).toMatchObject([{ level: 'warn', err: { message: 'crash' } }]);
  });

  test('analyzes no more images at a time than configured', async () => {
    let running = 0;
    let most = 0;
    api.analyzer.before = async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
    };
    await api.client.testBatch({ body: { file: files(8) } });
    expect(most).toBe(2);
  });

  test('accepts 100 images, and neither none nor 101', async () => {
    const full = await api.client.testBatch({ body: { file: files(100) } });
    expect(full.body).toMatchObject({ total: 100 });
    for (const count of [0, 101]) {
      const body = { file: files(count), type: 'all' as const };
      const { problem } = await api.client.testBatch({ body });
      expect(problem).toMatchObject({
        status: 400,
        code: 'invalid_request',
        errors: [{ path: 'file' }],
      });
    }
  });

  test('is a form and nothing else', async () => {
    const response = await api.fetch('/api/test/batch', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    });
    expect(response.status).toBe(415);
  });

  test('fails as a whole if the service is at fault', async () => {
    api.analyzer.before = () => Promise.reject(new TypeError('a defect'));
    const { problem } = await api.client.testBatch({ body: { file: files(3) } });
    expect(problem).toMatchObject({ status: 500, code: 'internal_error' });
  });
});
