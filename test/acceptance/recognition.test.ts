import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '@sightline/contracts/client';
import { describeWithShared } from '../support/gates/describe-with-shared.ts';
import { photo } from '../support/fixtures/photo.ts';
import { ok } from '../support/services/ok.ts';
import { type RunningStandalone, startStandalone } from '../support/services/running-standalone.ts';
import { shared } from '../support/fixtures/shared.ts';

/** These tests use one process. The contract tests of inference cover models in other processes. */
describeWithShared('recognition on real photos', () => {
  let service: RunningStandalone;
  let client: Client;

  beforeAll(async () => {
    service = await startStandalone({ SIGHTLINE_MODELS_DIR: shared('packs') });
    client = service.client;
  });

  afterAll(async () => {
    await service[Symbol.asyncDispose]();
  });

  test('the service names the packs of the folder', async () => {
    const { models } = ok(await client.getHealth());
    expect(models.map(({ task, name }) => `${task} ${name}`).sort()).toEqual([
      'face insightface',
      'object yolov8n',
    ]);
    expect(ok(await client.getCapabilities()).models).toContainEqual(
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
