import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '@sightline/contracts/client';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { serveImage } from '../support/servers/image-server.ts';
import { describeInCompositions } from '../support/services/compositions.ts';
import { ok } from '../support/services/ok.ts';

describeInCompositions('answers about pictures', (takeEnvironment) => {
  let client: Client;

  beforeAll(async () => {
    ({ client } = await takeEnvironment());
  });

  test('the service says what it can do and with which models', async () => {
    const health = ok(await client.getHealth());
    expect(health).toMatchObject({ status: 'ok', provider: 'cpu' });
    expect(health.models.map(({ task, name }) => `${task} ${name}`).sort()).toEqual([
      'face toy-faces',
      'object toy-objects',
    ]);
    const capabilities = ok(await client.getCapabilities());
    expect(capabilities.detection_types).toEqual(['faces', 'objects']);
    expect(capabilities.models).toContainEqual(
      expect.objectContaining({ name: 'toy-faces', embedding_dim: 48, commercial_use: false }),
    );
  });

  describe('POST /api/test', () => {
    test('counts faces and objects, or one of them', async () => {
      const file = await drawPhoto({ faces: ['Ada', 'Bea', 'Clara'], objects: ['bus'] });
      const all = ok(await client.testImage({ body: { file } }));
      expect(all).toMatchObject({ counts: { faces: 3, objects: 1 } });
      const faces = ok(await client.testImage({ body: { file }, query: { type: 'faces' } }));
      expect(faces.counts).toEqual({ faces: 3, objects: 0 });
      expect(faces.faces).toHaveLength(3);
      expect(faces.objects).toEqual([]);
      expect(faces.available).toEqual({ faces: true, objects: true });
      const objects = ok(await client.testImage({ body: { file, type: 'objects' } }));
      expect(objects.counts).toEqual({ faces: 0, objects: 1 });
      expect(objects.objects).toMatchObject([{ class_name: 'bus' }]);
      const none = await drawPhoto({});
      expect(ok(await client.testImage({ body: { file: none } })).counts).toEqual({
        faces: 0,
        objects: 0,
      });
    });

    test('answers with attributes that the model does not give as null', async () => {
      const file = await drawPhoto({ faces: ['Ada'] });
      const { faces } = ok(await client.testImage({ body: { file, type: 'faces' } }));
      expect(faces).toHaveLength(1);
      expect(faces[0]).toMatchObject({ age: null, gender: null, pose: null, identity_id: null });
    });

    test('takes a file, base64, a data URI and a URL, with the same answer', async () => {
      const file = await drawPhoto({ faces: ['Clara'] });
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

  test('a batch is answered in its order, and one bad image does not fail the rest', async () => {
    const files = [
      await drawPhoto({ faces: ['Ada', 'Bea'] }),
      new File(['no image at all'], 'notes.txt'),
      await drawPhoto({ faces: ['Ada', 'Bea', 'Clara'] }),
    ];
    const body = ok(await client.testBatch({ body: { file: files, type: 'faces' } }));
    expect(body).toMatchObject({ total: 3, type: 'faces' });
    expect(body.results).toMatchObject([
      { index: 0, filename: 'Ada-Bea.jpg', counts: { faces: 2 } },
      { index: 1, filename: 'notes.txt', error: expect.stringContaining('format') as unknown },
      { index: 2, filename: 'Ada-Bea-Clara.jpg', counts: { faces: 3 } },
    ]);
  });

  describe('POST /api/verify', () => {
    const verify = async (one: readonly string[], other: readonly string[], threshold?: number) => {
      const [file1, file2] = await Promise.all([one, other].map((faces) => drawPhoto({ faces })));
      const query = threshold === undefined ? {} : { threshold };
      return client.verifyFaces({ body: { file1: file1!, file2: file2! }, query });
    };

    test('tells whether two faces are one person', async () => {
      expect(ok(await verify(['Ada'], ['Ada 2']))).toMatchObject({ match: true });
      expect(ok(await verify(['Ada'], ['Clara']))).toMatchObject({ match: false });
    });

    test('takes a threshold and counts the other faces', async () => {
      const body = ok(await verify(['Ada', 'Bea'], ['Ada 2'], 0.9));
      expect(body).toMatchObject({ threshold: 0.9, match: false });
      expect([body.face1.count, body.face2.count]).toEqual([2, 1]);
    });

    test('says which image has no face', async () => {
      const { status, problem } = await verify(['Ada'], []);
      expect(status).toBe(422);
      expect(problem).toMatchObject({ code: 'face_count', faces: 0, image: 2 });
    });
  });
});
