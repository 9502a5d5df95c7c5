import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { drawPhoto, freshPhoto } from '../support/fixtures/draw-photo.ts';
import { ok, okWith } from '../support/services/ok.ts';
import { sharedService, type SharedService } from '../support/services/shared-service.ts';

const IMAGES = 30;

/** The numbers of images that workers have begun, in the interactive and in the background lane. */
async function begunImages({ opsUrl }: SharedService) {
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
  return ['interactive', 'background'].map((lane) => {
    const sample = `sightline_inference_queue_wait_seconds_count{lane="${lane}"} `;
    const line = metrics.split('\n').find((one) => one.startsWith(sample));
    return Number(line?.slice(sample.length) ?? 0);
  });
}

test('a client is answered while a job has many images, which take the other lane', async () => {
  await using service = await sharedService('standalone');
  const { client } = service;
  const photos = Array.from({ length: IMAGES }, () => freshPhoto({ faces: ['Ada', 'Bea'] }));
  const file = await Promise.all(photos);
  const before = await begunImages(service);
  const begun = await client.detectBulk({ query: { async: true }, body: { file } });
  const path = { id: okWith(202, begun).job_id };
  ok(await client.testImage({ body: { file: await drawPhoto({ faces: ['Cleo'] }) } }));
  const meanwhile = ok(await client.getJob({ path }));
  expect(meanwhile).toMatchObject({ total: IMAGES, failed: 0 });
  expect(meanwhile.done).toBeLessThan(IMAGES);
  while (ok(await client.getJob({ path })).done < IMAGES) await delay(20);
  const [interactive, background] = (await begunImages(service)).map((n, i) => n - before[i]!);
  expect(background).toBeGreaterThanOrEqual(IMAGES);
  // Other suites may add interactive images.
  expect(interactive).toBeGreaterThanOrEqual(1);
});
