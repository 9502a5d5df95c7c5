import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '@sightline/contracts/client';
import { describeInCompositions } from '../support/services/compositions.ts';
import { serveImage } from '../support/servers/image-server.ts';
import { photo } from '../support/fixtures/photo.ts';
import type { RunningService } from '../support/services/running-service.ts';
import { shared } from '../support/fixtures/shared.ts';

describeInCompositions('recognition on real photos', (start) => {
  let service: RunningService;
  let client: Client;

  beforeAll(async () => {
    service = await start();
    client = service.client;
  });

  afterAll(async () => {
    await service[Symbol.asyncDispose]();
  });

  /** The answer of a request that is expected to succeed. */
  function ok<T>(answer: { body: T | null; problem: unknown }): T {
    expect(answer.problem).toBeNull();
    return answer.body!;
  }

  test('says what it can do and with which models', async () => {
    const health = ok(await client.getHealth());
    expect(health).toMatchObject({ status: 'ok', provider: 'cpu' });
    expect(health.models.map(({ task, name }) => `${task} ${name}`).sort()).toEqual([
      'face insightface',
      'object yolov8n',
    ]);
    const capabilities = ok(await client.getCapabilities());
    expect(capabilities.detection_types).toEqual(['faces', 'objects']);
    expect(capabilities.models).toContainEqual(
      expect.objectContaining({ name: 'insightface', embedding_dim: 512, commercial_use: false }),
    );
  });

  describe('POST /api/test', () => {
    const photos = readdirIfPresent('photos/people').filter((name) => /_\d\.jpg$/.test(name));

    test.each(photos)('counts the faces of %s', async (name) => {
      const count = Number(/_(\d)\.jpg$/.exec(name)![1]);
      const file = await photo(`people/${name}`);
      const body = ok(await client.testImage({ body: { file }, query: { type: 'faces' } }));
      expect(body.counts).toEqual({ faces: count, objects: 0 });
      expect(body.faces).toHaveLength(count);
      expect(body.objects).toEqual([]);
      expect(body.available).toEqual({ faces: true, objects: true });
    });

    test.each([
      ['bus.jpg', ['bus', 'person']],
      ['dog.jpg', ['bicycle', 'dog', 'truck']],
      ['horses.jpg', ['horse']],
    ])('finds the objects of %s', async (name, classes) => {
      const file = await photo(`objects/${name}`);
      const { objects } = ok(await client.testImage({ body: { file, type: 'objects' } }));
      const sure = objects.filter(({ confidence }) => confidence > 0.5);
      expect(sure.map(({ class_name }) => class_name)).toEqual(expect.arrayContaining(classes));
    });

    test('answers with attributes that the model does not give as null', async () => {
      const file = await photo('people/007_B.jpg');
      const { faces } = ok(await client.testImage({ body: { file, type: 'faces' } }));
      expect(faces).toHaveLength(1);
      expect(faces[0]).toMatchObject({ age: null, gender: null, pose: null, identity_id: null });
    });

    test('takes a file, base64, a data URI and a URL, with the same answer', async () => {
      const file = await photo('people/009_C.jpg');
      const bytes = new Uint8Array(await file.arrayBuffer());
      const base64 = Buffer.from(bytes).toString('base64');
      await using images = await serveImage(bytes);
      const answers = await Promise.all([
        client.testImage({ body: { file } }),
        client.testImage({ body: { image_base64: base64 } }),
        client.testImage({ body: { image_base64: `data:image/jpeg;base64,${base64}` } }),
        client.testImage({ body: { image_url: images.url } }),
      ]);
      const [first, ...others] = answers.map(ok);
      expect(first!.faces).toHaveLength(1);
      for (const other of others) expect(other).toEqual(first);
    });
  });

  describe('POST /api/test/batch', () => {
    test('answers in the order of the request, and one bad image does not fail the rest', async () => {
      const files = [
        await photo('people/010_2.jpg'),
        new File(['no image at all'], 'notes.txt'),
        await photo('people/011_3.jpg'),
      ];
      const body = ok(await client.testBatch({ body: { file: files, type: 'faces' } }));
      expect(body).toMatchObject({ total: 3, type: 'faces' });
      expect(body.results).toMatchObject([
        { index: 0, filename: '010_2.jpg', counts: { faces: 2 } },
        { index: 1, filename: 'notes.txt', error: expect.stringContaining('format') as unknown },
        { index: 2, filename: '011_3.jpg', counts: { faces: 3 } },
      ]);
    });
  });

  describe('POST /api/verify', () => {
    const people = readdirIfPresent('photos/people').filter((name) => /_[ABC]\.jpg$/.test(name));
    const pairs = people.flatMap((a, i) => people.slice(i + 1).map((b) => [a, b] as const));

    test('tells three people apart on every pair of their photos', async () => {
      const wrong: string[] = [];
      for (const [a, b] of pairs) {
        const [file1, file2] = await Promise.all([photo(`people/${a}`), photo(`people/${b}`)]);
        const { match, similarity } = ok(await client.verifyFaces({ body: { file1, file2 } }));
        const same = a.at(-5) === b.at(-5);
        if (match !== same) wrong.push(`${a} ${b}: ${similarity}`);
      }
      expect(pairs.length).toBeGreaterThan(10);
      expect(wrong).toEqual([]);
    });

    test('compares the largest face and counts the others', async () => {
      const [file1, file2] = await Promise.all([
        photo('people/002_A.jpg'),
        photo('people/001_A.jpg'),
      ]);
      const body = ok(
        await client.verifyFaces({ body: { file1, file2 }, query: { threshold: 0.4 } }),
      );
      expect(body.threshold).toBe(0.4);
      expect(body.face1.count).toBeGreaterThan(1);
      expect(body.face1.bbox.w).toBeGreaterThan(1000);
      expect(body.face2.count).toBe(1);
    });

    test('says which image has no face', async () => {
      const [file1, file2] = await Promise.all([
        photo('people/007_B.jpg'),
        photo('people/017_0.jpg'),
      ]);
      const { status, problem } = await client.verifyFaces({ body: { file1, file2 } });
      expect(status).toBe(422);
      expect(problem).toMatchObject({ code: 'face_count', faces: 0, image: 2 });
    });
  });
});

function readdirIfPresent(folder: string): string[] {
  try {
    return readdirSync(shared(folder)).sort();
  } catch {
    return [];
  }
}
