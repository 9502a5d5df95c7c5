import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { analyzedFace } from '@sightline/core/analysis/testing/fake-analyzer';
import { OBJECT_MODEL } from '@sightline/core/models/testing/sample-models';
import { ImageCorrupt } from '@sightline/core/sources/image-errors';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';

const EMBEDDINGS: Record<string, Float32Array> = {
  anna: Float32Array.of(1, 0),
  'anna again': Float32Array.of(0.8, 0.6),
  bert: Float32Array.of(0, 1),
};

let api: ApiServer;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
});
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = (text) => {
    if (text === 'empty') return [];
    const small = analyzedFace({ bbox: { x: 0, y: 0, w: 5, h: 5 }, confidence: 0.99 });
    const large = analyzedFace({ embedding: EMBEDDINGS[text]! });
    return text === 'anna' ? [small, large] : [large];
  };
});
afterAll(() => api[Symbol.asyncDispose]());

const photo = (text: string) => new File([text], `${text}.jpg`);
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('POST /api/verify', () => {
  test('compares the largest faces', async () => {
    const { status, body } = await api.client.verifyFaces({
      body: { file1: photo('anna'), file2: photo('anna again') },
    });
    expect(status).toBe(200);
    expect(body!.similarity).toBeCloseTo(0.8, 6);
    const face = {
      bbox: { x: 10, y: 20, w: 30, h: 40 },
      confidence: 0.9,
      age: 30,
      gender: null,
      pose: [1, 2, 3],
      turned: 0,
    };
    expect(body).toMatchObject({
      match: true,
      threshold: 0.5,
      face1: { ...face, count: 2 },
      face2: { ...face, count: 1 },
    });
  });

  test('takes each image from a source of its own', async () => {
    const { body } = await api.client.verifyFaces({
      body: { file1: photo('anna'), image2_base64: base64('bert') },
    });
    expect(body).toMatchObject({ similarity: 0, match: false });
  });

  test.each([
    ['the query', { query: { threshold: 0.9 } }, 0.9],
    ['the body', { query: { threshold: 0.9 }, fields: { threshold: '0.85' } }, 0.85],
    ['the body as a number', { fields: { threshold: -1 } }, -1],
    ['zero', { fields: { threshold: 0 } }, 0],
  ])('takes the threshold from %s', async (_, { query, fields }: Thresholds, threshold) => {
    const images = { image1_base64: base64('anna'), image2_base64: base64('anna again') };
    const { body } = await api.client.verifyFaces({
      ...(query && { query }),
      body: { ...images, ...fields },
    });
    expect(body).toMatchObject({ threshold, match: threshold < 0.8 });
  });

  test.each(['1.01', 'high'])('refuses the threshold %j', async (threshold) => {
    const { problem } = await api.client.verifyFaces({
      body: { file1: photo('anna'), file2: photo('bert'), threshold },
    });
    expect(problem).toMatchObject({ code: 'invalid_request', errors: [{ path: 'threshold' }] });
  });

  test('names the image that has no face', async () => {
    const { problem } = await api.client.verifyFaces({
      body: { file1: photo('anna'), file2: photo('empty') },
    });
    expect(problem).toMatchObject({ status: 422, code: 'face_count', faces: 0, image: 2 });
  });

  test('names the image whose source is missing, before anything is analyzed', async () => {
    const { problem } = await api.client.verifyFaces({ body: { file1: photo('anna') } });
    expect(problem).toMatchObject({ status: 400, code: 'image_source' });
    expect(problem!.detail).toContain('image2_url');
    expect(api.analyzer.requests).toEqual([]);
  });

  test.each([
    [1, { image1_base64: '!', image2_base64: base64('anna') }],
    [2, { image1_base64: base64('anna'), image2_base64: '!' }],
  ])('names image %i if it cannot be read', async (image, body) => {
    const { problem } = await api.client.verifyFaces({ body });
    expect(problem).toMatchObject({
      code: 'image_source',
      detail: `Image ${image}: image${image}_base64 is neither base64 nor a data URI.`,
      image,
    });
  });

  test('names the image that cannot be decoded', async () => {
    api.analyzer.facesOf = (text) => {
      if (text === 'damaged') throw new ImageCorrupt('The image is damaged.');
      return [analyzedFace()];
    };
    const body = { image1_base64: base64('anna'), image2_base64: base64('damaged') };
    const { problem } = await api.client.verifyFaces({ body });
    expect(problem).toMatchObject({
      code: 'image_corrupt',
      detail: 'Image 2: The image is damaged.',
      image: 2,
    });
  });

  test('a data URI as a URL is refused with the name of the right field', async () => {
    const body = {
      image1_base64: base64('anna'),
      image2_url: `data:image/png;base64,${'A'.repeat(10_000)}`,
    };
    const { problem } = await api.client.verifyFaces({ body });
    expect(problem!.detail).toBe(
      'image2_url: Expected an http or https URL; a data URI belongs in image2_base64.',
    );
  });

  test('needs a face model', async () => {
    api.analyzer.models = [OBJECT_MODEL];
    const answer = await api.client.verifyFaces({
      body: { file1: photo('anna'), file2: photo('bert') },
    });
    expect(answer.problem).toMatchObject({ status: 503, code: 'no_active_model' });
    expect(answer.headers.get('retry-after')).toBe('30');
  });
});

interface Thresholds {
  query?: { threshold: number };
  fields?: { threshold: number | string };
}
