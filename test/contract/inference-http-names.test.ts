import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { AnalysisRequest } from '@sightline/core/analysis/image-analyzer';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import type { SelectedPacks } from '@sightline/engine/packs/select-packs';
import { HttpImageAnalyzer } from '@sightline/analysis/http/http-image-analyzer';
import { freePort } from '@sightline/dev-platform/free-port';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { type HostPacks, openHostEngine, writeHostPacks } from './hosts-setup.ts';
import { serveEngine } from './inference-server.ts';

const FACES = {
  detectionThreshold: 0.5,
  embed: true,
  attributes: false,
  fullFramePass: false,
  upright: false,
};
const OBJECTS = { confidenceThreshold: 0.25, classFilter: [] };
const LOOK_UP_MS = 20;

let packs: HostPacks;
let image: Uint8Array;
let resources = new AsyncDisposableStack();
/** The addresses to which the name resolves; null if the look-up fails. */
let behind: readonly string[] | null;

beforeAll(async () => {
  packs = await writeHostPacks();
  const photo = await drawPhoto({ faces: ['Ada', 'Bea'], objects: ['bus'] });
  image = new Uint8Array(await photo.arrayBuffer());
});
afterAll(async () => {
  await packs[Symbol.asyncDispose]();
});
afterEach(async () => {
  await resources.disposeAsync();
  resources = new AsyncDisposableStack();
});

async function serve(host: string, port: number, first?: SelectedPacks) {
  const engine = await openHostEngine(packs, first);
  return resources.use(await serveEngine(engine, DEFAULT_IMAGE_LIMITS, { host, port }));
}

function open(port: number, keptMs?: number): HttpImageAnalyzer {
  return resources.use(
    new HttpImageAnalyzer({
      name: new URL(`http://inference.test:${port}`),
      lookUp: (hostname) => {
        if (behind === null || hostname !== 'inference.test') return Promise.reject(new Error());
        return Promise.resolve(behind.map((address) => ({ address, family: 4 })));
      },
      pauseMs: LOOK_UP_MS,
      ...(keptMs !== undefined && { keptMs }),
    }),
  );
}

async function untilThereAre(count: number, analyzer: HttpImageAnalyzer): Promise<void> {
  while ((await analyzer.countAddresses()) !== count) await sleep(LOOK_UP_MS);
}

const named = () => ({ face: packs.faces.revision, object: packs.objects.revision });

function request(more: Partial<AnalysisRequest> = {}): AnalysisRequest {
  return { image: image.slice(), models: named(), faces: FACES, objects: OBJECTS, ...more };
}

test('addresses come and go under load, and no request fails', async () => {
  const port = await freePort();
  const first = await serve('127.0.0.1', port);
  behind = ['127.0.0.1'];
  const analyzer = open(port);
  await analyzer.countAddresses();
  let isOver = false;
  let answers = 0;
  const ask = async () => {
    for (; !isOver; answers++) {
      const { faces, objects } = await analyzer.analyze(request());
      expect([faces?.items.length, objects?.items.length]).toEqual([2, 1]);
    }
  };
  const more = async () => {
    const from = answers;
    while (answers < from + 10) await sleep(5);
  };
  const change = async () => {
    await more();
    await serve('127.0.0.2', port);
    behind = ['127.0.0.1', '127.0.0.2', '127.0.0.2'];
    await untilThereAre(2, analyzer);
    await more();
    behind = null;
    await more();
    behind = ['127.0.0.2'];
    await untilThereAre(1, analyzer);
    await first[Symbol.asyncDispose]();
    await more();
    await serve('127.0.0.1', port);
    behind = ['127.0.0.2', '127.0.0.1'];
    await untilThereAre(2, analyzer);
    await more();
  };
  const load = Promise.all([ask(), ask(), ask()]);
  try {
    await Promise.race([load, change()]);
  } finally {
    isOver = true;
  }
  await load;
});

test('a name without addresses is inference that is not there, until it has one', async () => {
  const port = await freePort();
  behind = null;
  const analyzer = open(port);
  expect(await analyzer.countAddresses()).toBe(0);
  const unavailable = { code: 'inference_unavailable' };
  await expect(analyzer.analyze(request())).rejects.toMatchObject(unavailable);
  await expect(analyzer.status()).rejects.toMatchObject(unavailable);
  await serve('127.0.0.1', port);
  behind = ['127.0.0.1'];
  await untilThereAre(1, analyzer);
  expect((await analyzer.analyze(request())).faces?.items).toHaveLength(2);
});

test('addresses that no look-up confirms any more get nothing', async () => {
  const port = await freePort();
  await serve('127.0.0.1', port);
  behind = ['127.0.0.1'];
  const analyzer = open(port, 200);
  await analyzer.countAddresses();
  behind = [];
  await untilThereAre(0, analyzer);
  await expect(analyzer.analyze(request())).rejects.toMatchObject({
    code: 'inference_unavailable',
  });
});

test('models at different addresses answer together what one process would', async () => {
  const port = await freePort();
  const { faces: face, objects: object } = packs;
  await serve('127.0.0.1', port, { face, object: null });
  await serve('127.0.0.2', port, { face: null, object });
  await serve('127.0.0.3', port);
  const renditions = {
    source: { maxSize: 128, quality: 85 },
    crops: { padding: 0.1, quality: 75 },
    boxes: [{ x: 10, y: 20, w: 30, h: 40 }],
  };
  const faceRegions = [{ bbox: { x: 0, y: 0, w: 64, h: 64 }, landmarks: null }];
  behind = ['127.0.0.3'];
  const together = open(port);
  await together.countAddresses();
  const asked = [
    {},
    { renditions },
    { renditions, faceRegions },
    { faces: undefined, faceRegions },
  ] as Partial<AnalysisRequest>[];
  const expected = [];
  for (const more of asked) expected.push(plain(await together.analyze(request(more))));
  behind = ['127.0.0.1', '127.0.0.2'];
  const apart = open(port);
  await apart.countAddresses();
  for (const [index, more] of asked.entries()) {
    expect(plain(await apart.analyze(request(more)))).toEqual(expected[index]);
  }
  // A request with a single task needs only one of the two addresses.
  const { objects, ...facesAlone } = request();
  expect(objects).toBeDefined();
  expect((await apart.analyze(facesAlone)).faces?.items).toHaveLength(2);
  const unknown = { ...named(), object: 'f'.repeat(64) };
  await expect(apart.analyze(request({ models: unknown }))).rejects.toMatchObject({
    isNotHere: true,
  });
});

/**
 * Replaces all views of bytes, such as Buffer and Float32Array, by base64 texts, so that equal bytes in different
 * views compare as equal.
 */
function plain(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, member: unknown) =>
      ArrayBuffer.isView(member)
        ? Buffer.from(member.buffer, member.byteOffset, member.byteLength).toString('base64')
        : member,
    ),
  );
}
