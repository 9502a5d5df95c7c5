import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeWithMinio } from '../support/servers/minio.ts';
import { MinioProcess } from '../support/servers/minio-process.ts';
import { ok } from '../support/services/ok.ts';
import { untilHealthSays } from '../support/services/until-health-says.ts';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import {
  runStandalone,
  type RunningStandalone,
  startStandalone,
} from '../support/services/running-standalone.ts';
import { preparedData, temporaryData } from '../support/fixtures/temporary-data.ts';
import { temporaryFolder } from '../support/fixtures/temporary-folder.ts';
import { untilAvailable } from '../support/servers/until-available.ts';

describeWithMinio('with the images in an S3', () => {
  describe('the service', () => {
    const resources = new AsyncDisposableStack();
    let minio: MinioProcess;
    let settings: Record<string, string>;
    let service: RunningStandalone;

    beforeAll(async () => {
      minio = resources.use(await MinioProcess.start());
      const folder = resources.use(await temporaryFolder());
      await writeFile(join(folder.path, 'secret'), `${minio.secretKey}\n`);
      settings = {
        SIGHTLINE_S3_ENDPOINT: minio.endpoint.origin,
        SIGHTLINE_S3_ACCESS_KEY: minio.accessKey,
        SIGHTLINE_S3_SECRET_KEY_FILE: join(folder.path, 'secret'),
        SIGHTLINE_DATA: resources.use(await preparedData()).path,
      };
      service = resources.use(await startStandalone(settings));
    });

    afterAll(() => resources.disposeAsync());

    test('keeps, serves and removes them', async () => {
      const file = await drawPhoto({ faces: ['Ada', 'Bea'] });
      const found = ok(await service.client.detectFaces({ body: { file } }));
      expect(found.faces).toHaveLength(2);
      const { source_image_url: path } = found;
      const response = await service.fetch(path);
      const bytes = new Uint8Array(await response.arrayBuffer());
      const etag = response.headers.get('etag')!;
      expect(etag).toBe(`"${createHash('sha256').update(bytes).digest('hex')}"`);
      expect(response.headers.get('content-length')).toBe(String(bytes.length));
      const unchanged = await service.fetch(path, { headers: { 'if-none-match': etag } });
      expect(unchanged.status).toBe(304);
      const part = await service.fetch(path, { headers: { range: 'bytes=2-9' } });
      expect(part.status).toBe(206);
      expect(part.headers.get('content-range')).toBe(`bytes 2-9/${bytes.length}`);
      expect(new Uint8Array(await part.arrayBuffer())).toEqual(bytes.subarray(2, 10));

      expect(await minio.mediaKeys()).toHaveLength(3);
      expect(await service.inconsistencies()).toEqual([]);
      const purge = { path: { id: found.source_image_id }, query: { purge: true } };
      ok(await service.client.deleteImage(purge));
      expect(await minio.mediaKeys()).toEqual([]);
      expect((await service.fetch(path)).status).toBe(404);
      expect(await service.inconsistencies()).toEqual([]);
    });

    test('goes on without it as far as that is possible, and recovers by itself', async () => {
      const { client } = service;
      const known = await drawPhoto({ faces: ['Beatrice'] });
      ok(await client.enrollFace({ body: { name: 'Beatrice', file: known } }));
      const stranger = await drawPhoto({ faces: ['Clara'] });
      const { detection_id } = ok(await client.detectFaces({ body: { file: stranger } })).faces[0]!;
      const file = await drawPhoto({ faces: ['Beatrice 2'] });
      await minio.kill();

      const refused = await service.fetch('/api/detect/faces', {
        method: 'POST',
        body: form(file),
      });
      expect(refused.status).toBe(503);
      expect(await refused.json()).toMatchObject({ code: 'store_unavailable' });
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);

      const { faces } = ok(await client.identifyFaces({ body: { file } }));
      expect(faces[0]).toMatchObject({ label: 'Beatrice' });
      const curated = { path: { id: detection_id }, body: { label: 'Clara' } };
      expect(ok(await client.labelDetection(curated))).toMatchObject({ label: 'Clara' });
      expect(ok(await client.getStats())).toMatchObject({ storage_free: null });
      expect(await untilHealthSays(service, 'degraded')).toMatchObject({
        checks: { media: 'failed', database: 'ok' },
      });

      await minio.start();
      const found = ok(await untilAvailable(() => client.detectFaces({ body: { file } })));
      expect(found.faces[0]).toMatchObject({ label: 'Beatrice' });
      expect((await service.fetch(found.source_image_url)).status).toBe(200);
      await untilHealthSays(service, 'ok');
      expect(await service.inconsistencies()).toEqual([]);
    });

    test('never shows the secret', async () => {
      const health = JSON.stringify(await service.client.getHealth());
      const help = await runStandalone(settings, ['--help']);
      for (const text of [service.log.join('\n'), health, help.stdout]) {
        expect(text).not.toContain(minio.secretKey);
        expect(text).not.toContain(minio.accessKey);
      }
    });

    test('does not fetch images from it', async () => {
      const image_url = `${minio.endpoint.origin}/sightline/x.jpg`;
      const answer = await service.client.detectFaces({ body: { image_url } });
      expect(answer.problem).toMatchObject({ code: 'image_fetch_failed' });
      // The service itself must refuse the target. A refusal by the bucket would have another
      // reason.
      expect(service.log.join('\n')).toContain(
        '"reason":"This target is not allowed: use an http or https URL whose host has no reserved address and does not belong to this installation."',
      );
    });

    test('is not backed up with the images left out in silence', async () => {
      await expect(service.sightline('backup')).rejects.toThrow(
        /The images are in the bucket sightline at http:.*, which a backup does not include/,
      );
      expect((await service.fetch('/api/stats')).status).toBe(200);
    });

    describe('is not started', () => {
      test.each<[string, Record<string, string>, RegExp]>([
        [
          'on a bucket of another installation',
          {},
          /^There are images of another installation in the bucket sightline at/,
        ],
        [
          'with wrong credentials',
          { SIGHTLINE_S3_ACCESS_KEY: 'nobody' },
          /cannot be used: The media store refuses these credentials\.$/,
        ],
        [
          'where nothing listens',
          { SIGHTLINE_S3_ENDPOINT: 'http://127.0.0.1:9' },
          /cannot be used: The media store cannot be reached \(ECONNREFUSED\)\.$/,
        ],
      ])('%s', async (_, wrong, sentence) => {
        await using data = await temporaryData();
        const now = { SIGHTLINE_START_TIMEOUT: '0', SIGHTLINE_DATA: data.path };
        const given = { ...settings, ...wrong, ...now };
        const { code, stderr } = await runStandalone(given);
        expect(code).toBe(1);
        expect(stderr.trim()).toMatch(sentence);
        expect(stderr.trim().split('\n')).toHaveLength(1);
        expect(stderr).not.toContain(minio.secretKey);
      });

      test('without it, and with it as before', async () => {
        await service.stop();
        await using backups = await temporaryFolder();
        const args = ['backup', '--to', backups.path, '--without-images'];
        expect(await service.sightline(...args)).toContain(backups.path);
        const { SIGHTLINE_DATA } = settings;
        const { code, stderr } = await runStandalone({ SIGHTLINE_DATA: SIGHTLINE_DATA! });
        expect(code).toBe(1);
        expect(stderr).toMatch(/^The images of .* are in the bucket sightline at http:.*\n$/);
        await using again = await startStandalone(settings);
        expect(await minio.mediaKeys()).not.toEqual([]);
        expect(await again.inconsistencies()).toEqual([]);
      });
    });
  });
});

function form(file: Blob): FormData {
  const body = new FormData();
  body.append('file', file, 'photo.jpg');
  return body;
}
