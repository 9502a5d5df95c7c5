import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { serveImage } from '../../support/image-server.ts';
import { startStandalone, type RunningStandalone } from '../../support/running-standalone.ts';
import { describeWithShared } from '../../support/describe-with-shared.ts';
import { shared } from '../../support/shared.ts';
import { arbitraryRequest, type FuzzRequest, type Material } from './arbitrary-request.ts';
import { operationsOf, type OpenApi, type Operation } from './openapi-operations.ts';

const RUNS = process.env.SIGHTLINE_TEST_SOAK === '1' ? 3_000 : 150;

const PHOTOS = ['photos/lfw/Abdul_Rahman_0001.jpg', 'photos/people/009_C.jpg'];

describeWithShared('every operation of the OpenAPI document, fuzzed', () => {
  let service: RunningStandalone;
  let images: Awaited<ReturnType<typeof serveImage>>;
  let material: Material;

  beforeAll(async () => {
    service = await startStandalone({ SIGHTLINE_LOG_LEVEL: 'info' });
    const photos = await Promise.all(
      PHOTOS.map(async (photo) => Uint8Array.from(await readFile(shared(photo)))),
    );
    images = await serveImage(photos[0]!);
    material = { images: photos, imageUrls: [images.url] };
  });

  afterAll(async () => {
    await service.stop();
    await images[Symbol.asyncDispose]();
  });

  async function send(operation: Operation, request: FuzzRequest) {
    const response = await fetch(service.url + request.target, {
      method: operation.method,
      headers: request.headers,
      ...(request.body !== undefined && { body: request.body }),
    });
    return {
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      body: await response.text(),
    };
  }

  test('answers as promised, never with a defect, and reaches success', async () => {
    const document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenApi;
    const operations = operationsOf(document);
    expect(operations.length).toBeGreaterThan(5);
    for (const operation of operations) {
      const reached = new Set<number>();
      await fc.assert(
        fc.asyncProperty(arbitraryRequest(operation, material), async (request) => {
          const answer = await send(operation, request);
          reached.add(answer.status);
          expect(answer.status).not.toBe(500);
          expect({ complaint: operation.complaint(answer), answer }).toEqual({
            complaint: undefined,
            answer,
          });
        }),
        { numRuns: RUNS, seed: 20_260_101, endOnFailure: true },
      );
      expect({ operation: operation.id, reached: [...reached].some((s) => s < 300) }).toEqual({
        operation: operation.id,
        reached: true,
      });
    }
    const alive = await fetch(`${service.url}/api/health`);
    expect(alive.status).toBe(200);
  }, 1_800_000);
});
