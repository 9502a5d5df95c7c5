import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '@sightline/contracts/client';
import { describeInCompositions } from '../support/services/compositions.ts';
import { ok } from '../support/services/ok.ts';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import type { SharedService } from '../support/services/shared-service.ts';

/** The default value of `system.crop_padding`. */
const CROP_PADDING = 0.2;

describeInCompositions('two environments of one installation, and keys', (takeEnvironment) => {
  let service: SharedService;
  let ours: Client;
  let theirs: Client;
  let theirKey: string;

  beforeAll(async () => {
    service = await takeEnvironment();
    ours = service.client;
    theirKey = (await service.createKey({ environment: randomUUID(), right: 'full' })).key;
    theirs = service.clientWith(theirKey);
  });

  afterAll(async () => {
    await service[Symbol.asyncDispose]();
  });

  test('do not share people, images, or media', async () => {
    const file = await drawPhoto({ faces: ['Beatrice'] });
    const enrolled = ok(await ours.enrollFace({ body: { name: 'Beatrice', file } }));
    const elsewhere = ok(await theirs.identifyFaces({ body: { file } }));
    expect(elsewhere.faces[0]).toMatchObject({ identity_id: null, similarity: null });
    const stored = ok(await theirs.detectFaces({ body: { file } }));
    expect(stored).toMatchObject({ reused: false });
    expect(stored.faces[0]).toMatchObject({ identity_id: null, label: null });
    const { identity_id: id } = enrolled;
    expect((await theirs.getIdentity({ path: { id } })).problem).toMatchObject({ status: 404 });
    expect(ok(await theirs.listIdentities()).items).toEqual([]);
    const url = ok(await ours.getDetection({ path: { id: await detectionOf(ours) } })).crop_url;
    const [here, there] = await Promise.all([
      service.fetch(url),
      service.fetch(url, { headers: { 'x-api-key': theirKey } }),
    ]);
    expect([here.status, there.status]).toEqual([200, 404]);
  });

  test('take the same name for different people', async () => {
    const file = await drawPhoto({ faces: ['Clara'] });
    const { identity_id } = ok(await theirs.enrollFace({ body: { name: 'Beatrice', file } }));
    const { items } = ok(await ours.listIdentities({ query: { q: 'Beatrice' } }));
    expect(items).toHaveLength(1);
    expect(items[0]!.id).not.toBe(identity_id);
  });

  /** The id of any detection. */
  async function detectionOf(client: Client): Promise<number> {
    const { ids } = ok(await client.listImageIds());
    return ok(await client.getImageFaces({ path: { id: ids[0]! } })).faces[0]!.detection_id;
  }

  test('keys that only read change nothing', async () => {
    const reader = await service.clientOf({ right: 'read' });
    const file = await drawPhoto({ faces: ['Beatrice'] });
    expect((await reader.identifyFaces({ body: { file } })).status).toBe(200);
    expect((await reader.getStats()).status).toBe(200);
    const before = ok(await reader.getStats());
    const refused = await reader.detectFaces({
      body: { file: await drawPhoto({ faces: ['Doris'] }) },
    });
    expect(refused.problem).toMatchObject({ status: 403, code: 'forbidden' });
    const { source_images } = ok(await reader.getStats());
    expect(source_images).toBe(before.source_images);
  });

  test('keys of an administrator alone write settings of the installation', async () => {
    // The new value equals the current one, because all suites of the run share the installation.
    const change = { path: { key: 'system.crop_padding' }, body: { value: CROP_PADDING } };
    expect((await ours.putSetting(change)).problem).toMatchObject({ code: 'admin_required' });
    expect(ok(await service.admin.putSetting(change))).toEqual({
      key: 'system.crop_padding',
      value: CROP_PADDING,
    });
  });

  test('keys stop working within seconds of their revocation', async () => {
    const { key, id } = await service.createKey({ right: 'full' });
    const headers = { 'x-api-key': key };
    expect((await service.fetch('/api/stats', { headers })).status).toBe(200);
    await service.sightline('key', 'revoke', String(id));
    await untilRefused(() => service.fetch('/api/stats', { headers }));
  });

  test('keys are in no line of the log', async () => {
    const { key } = await service.createKey({ right: 'full' });
    await service.fetch('/api/stats', { headers: { 'x-api-key': key } });
    await service.fetch('/api/stats', { headers: { 'x-api-key': `${key}x` } });
    const secrets = [key, service.apiKey, service.adminKey];
    expect(service.log.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual(
      [],
    );
  });
});

async function untilRefused(request: () => Promise<Response>): Promise<void> {
  for (;;) {
    const { status } = await request();
    if (status === 401) return;
    expect(status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
