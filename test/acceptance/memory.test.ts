import { readdirSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { describeWithShared } from '../support/gates/describe-with-shared.ts';
import { photo } from '../support/fixtures/photo.ts';
import { hasShared, shared } from '../support/fixtures/shared.ts';
import { describeWithStarter } from '../support/fixtures/starter-cache.ts';
import { ok } from '../support/services/ok.ts';
import { startStandalone, type RunningStandalone } from '../support/services/running-standalone.ts';
import { IS_SOAK } from '../support/gates/soak.ts';
import { MEMORY_SERIES_MS } from '../support/waits/limits.ts';

const REQUESTS = IS_SOAK ? 1000 : 40;
/** More clients than workers, so that some requests wait with their images. */
const CLIENTS = 6;
const MEBIBYTE = 1024 * 1024;

/** Photos of people of 0.2 to 36 megapixels; three of them have 12 or more. */
const PHOTOS = hasShared() ? readdirSync(shared('photos/people')).sort() : [];

describeWithShared('the memory of a service with two inference workers', () => {
  if (IS_SOAK) staysWithinBounds('with large models', { SIGHTLINE_MODELS_DIR: shared('packs') });

  describeWithStarter('with the starter', () => {
    staysWithinBounds('under load', { SIGHTLINE_MODELS_DIR: '', SIGHTLINE_STARTER: 'auto' });
  });
});

function staysWithinBounds(name: string, settings: Record<string, string>): void {
  test(
    `${name} stays below a gigabyte and does not grow`,
    async () => {
      await using service = await startStandalone({ ...settings, SIGHTLINE_WORKERS: '2' });
      await send(service, REQUESTS / 2);
      const halfway = await residentBytes(service);
      await send(service, REQUESTS / 2);
      const end = await residentBytes(service);
      expect(end).toBeLessThan(1024 * MEBIBYTE);
      // If each request leaked one small photo, the growth would be 500 times 1.3 MB, far above this limit.
      if (IS_SOAK) expect(end - halfway).toBeLessThan(150 * MEBIBYTE);
    },
    MEMORY_SERIES_MS,
  );
}

/** Requests faces and objects of photos of all sizes, and stores every fourth photo. */
async function send(service: RunningStandalone, requests: number): Promise<void> {
  let next = 0;
  const client = async (): Promise<void> => {
    for (let index = next++; index < requests; index = next++) {
      // The step and the number of photos have no common divisor, so large photos are analyzed at the same time.
      const file = await photo(`people/${PHOTOS[(index * 7) % PHOTOS.length]!}`);
      if (index % 4 === 0) ok(await service.client.detectFaces({ body: { file } }));
      else ok(await service.client.testImage({ body: { file } }));
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
}

async function residentBytes({ opsUrl }: RunningStandalone): Promise<number> {
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)$/m.exec(metrics)![1]);
}
