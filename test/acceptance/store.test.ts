import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '@sightline/contracts/client';
import { describeInCompositions } from '../support/services/compositions.ts';
import { ok } from '../support/services/ok.ts';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import type { RunningService } from '../support/services/running-service.ts';

describeInCompositions('what is detected stays', (takeEnvironment) => {
  let service: RunningService;
  let client: Client;

  beforeAll(async () => {
    service = await takeEnvironment();
    client = service.client;
  });

  afterAll(async () => {
    await service[Symbol.asyncDispose]();
  });

  test('a photo posted twice is one source image with the same detections', async () => {
    const file = await drawPhoto({ faces: ['Ada', 'Bea'] });
    const first = ok(await client.detectFaces({ body: { file, external_ref: 'album/1' } }));
    const again = ok(await client.detectFaces({ body: { file } }));
    expect(first).toMatchObject({ reused: false, external_ref: 'album/1' });
    expect(again).toMatchObject({ reused: true, external_ref: 'album/1' });
    expect(again.source_image_id).toBe(first.source_image_id);
    expect(first.faces).toHaveLength(2);
    expect(first.faces.every(({ created }) => created)).toBe(true);
    expect(again.faces.some(({ created }) => created)).toBe(false);
    expect(again.faces.map(({ detection_id }) => detection_id)).toEqual(
      first.faces.map(({ detection_id }) => detection_id),
    );
    expect(first.faces[0]).toMatchObject({
      identity_id: null,
      label: null,
      review_status: 'pending',
      enrolled: false,
    });
  });

  test('a person enrolled with one photo is recognized in another, and only that person', async () => {
    const enrolled = ok(
      await client.enrollFace({
        body: { name: 'Beatrice', file: await drawPhoto({ faces: ['Beatrice'] }) },
      }),
    );
    expect(enrolled).toMatchObject({ label: 'Beatrice', enrolled: true });
    const same = ok(
      await client.detectFaces({ body: { file: await drawPhoto({ faces: ['Beatrice 2'] }) } }),
    );
    expect(same.faces).toHaveLength(1);
    expect(same.faces[0]).toMatchObject({
      identity_id: enrolled.identity_id,
      label: 'Beatrice',
    });
    const other = ok(
      await client.detectFaces({ body: { file: await drawPhoto({ faces: ['Clara'] }) } }),
    );
    expect(other.faces[0]!.identity_id).toBeNull();
    const tested = ok(
      await client.testImage({ body: { file: await drawPhoto({ faces: ['Beatrice 2'] }) } }),
    );
    expect(tested.faces[0]).toMatchObject({ identity_id: enrolled.identity_id, label: 'Beatrice' });
  });

  test('a stranger becomes known when the photo comes again after an enrollment', async () => {
    const file = await drawPhoto({ faces: ['Anna'] });
    const before = ok(await client.detectFaces({ body: { file } }));
    expect(before.faces[0]!.identity_id).toBeNull();
    const { identity_id } = ok(
      await client.enrollFace({
        body: { name: 'Anna', file: await drawPhoto({ faces: ['Anna 2'] }) },
      }),
    );
    const after = ok(await client.detectFaces({ body: { file } }));
    expect(after.faces[0]).toMatchObject({
      detection_id: before.faces[0]!.detection_id,
      identity_id,
      label: 'Anna',
      created: false,
    });
  });

  test('objects belong to identities of their class', async () => {
    const { objects } = ok(
      await client.detectObjects({
        body: { file: await drawPhoto({ objects: ['apple', 'bus'] }) },
      }),
    );
    const bus = objects.find(({ class_name }) => class_name === 'bus')!;
    expect(bus).toMatchObject({ label: 'bus', review_status: 'confirmed', created: true });
    const { items } = ok(await client.listIdentities({ query: { type: 'object' } }));
    expect(items.find(({ id }) => id === bus.identity_id)).toMatchObject({ label: 'bus' });
  });

  test('crops and images are served under their digest', async () => {
    const { source_image_url, faces } = ok(
      await client.detectFaces({ body: { file: await drawPhoto({ faces: ['Ada', 'Bea'] }) } }),
    );
    for (const path of [source_image_url, faces[0]!.crop_url]) {
      const response = await service.fetch(path);
      const bytes = new Uint8Array(await response.arrayBuffer());
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('image/jpeg');
      expect([...bytes.subarray(0, 2)]).toEqual([0xff, 0xd8]);
      const digest = createHash('sha256').update(bytes).digest('hex');
      expect(path).toContain(digest);
      const etag = response.headers.get('etag')!;
      expect(etag).toBe(`"${digest}"`);
      const unchanged = await service.fetch(path, { headers: { 'if-none-match': etag } });
      expect(unchanged.status).toBe(304);
      const part = await service.fetch(path, { headers: { range: 'bytes=2-9' } });
      expect(part.status).toBe(206);
      expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.subarray(2, 10));
      const withoutKey = await fetch(service.url + path);
      expect(withoutKey.status).toBe(401);
    }
  });

  describe('corrections', () => {
    test('a face that is relabelled is that person, and taught so', async () => {
      const file = await drawPhoto({ faces: ['Clara'] });
      const { faces } = ok(await client.detectFaces({ body: { file } }));
      const { detection_id } = faces[0]!;
      const relabelled = ok(
        await client.labelDetection({ path: { id: detection_id }, body: { label: 'Clara' } }),
      );
      expect(relabelled).toMatchObject({
        detection_id,
        label: 'Clara',
        review_status: 'confirmed',
        enrolled: true,
      });
      const verdict = ok(await client.identifyFaces({ body: { file } }));
      expect(verdict.faces[0]).toMatchObject({ label: 'Clara' });
      expect(verdict.faces[0]!.similarity).toBeGreaterThan(0.99);
    });

    test('deleting the last detection of an image discards the image and its files', async () => {
      const file = await drawPhoto({ faces: ['Eve', 'Fay', 'Gil'] });
      const stored = ok(await client.detectFaces({ body: { file } }));
      const results = [];
      for (const { detection_id } of stored.faces) {
        results.push(ok(await client.deleteDetection({ path: { id: detection_id } })));
      }
      expect(results.map(({ source_image_discarded }) => source_image_discarded)).toEqual(
        stored.faces.map((_, index) => index === stored.faces.length - 1),
      );
      const gone = await client.getImageFaces({ path: { id: stored.source_image_id } });
      expect(gone.problem).toMatchObject({ status: 404, code: 'not_found' });
      expect((await service.fetch(stored.source_image_url)).status).toBe(404);
    });

    test('deleting an identity deletes what was known of it', async () => {
      const { items } = ok(await client.listIdentities({ query: { q: 'beatrice' } }));
      const { id } = items[0]!;
      expect((await client.deleteIdentity({ path: { id } })).status).toBe(204);
      expect((await client.getIdentity({ path: { id } })).problem).toMatchObject({ status: 404 });
      const verdict = ok(
        await client.identifyFaces({ body: { file: await drawPhoto({ faces: ['Beatrice'] }) } }),
      );
      expect(verdict.faces[0]!.identity_id).toBeNull();
    });
  });

  test('the numbers add up', async () => {
    const stats = ok(await client.getStats());
    const { ids } = ok(await client.listImageIds());
    expect(stats.source_images).toBe(ids.length);
    let detections = 0;
    for (const id of ids) {
      detections += ok(await client.getImageFaces({ path: { id } })).faces.length;
    }
    expect(stats.face_detections).toBe(detections);
    expect(stats.detections).toBe(stats.face_detections + stats.object_detections);
    expect(stats.identities).toBe(stats.face_identities + stats.object_identities);
    expect(stats.storage_bytes).toBeGreaterThan(10_000);
  });

  test('rows and files agree', async () => {
    expect(await service.inconsistencies()).toEqual([]);
  });
});
