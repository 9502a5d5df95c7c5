import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ImageAnalysis } from '@sightline/core/analysis/image-analyzer';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { drawPhoto, people } from '@sightline/test/support/fixtures/draw-photo';
import { shared } from '@sightline/test/support/fixtures/shared';
import { writeToyPacks } from '@sightline/test/support/fixtures/toy-packs';
import { describeWithShared } from '@sightline/test/support/gates/describe-with-shared';
import { createEngine, type Engine } from './engine.ts';
import { discoverPacks } from './packs/discover-packs.ts';
import type { ModelPack } from './packs/manifest.ts';

let folder: string;
let engines: Engine[];
let seen: { helps: number; lost: number };

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-shared-work-'));
  engines = [];
  seen = { helps: 0, lost: 0 };
});

afterEach(async () => {
  await Promise.all(engines.map((engine) => engine.close(AbortSignal.abort())));
  await rm(folder, { recursive: true, force: true });
});

async function open(workers: number): Promise<Engine> {
  const { packs } = await discoverPacks(folder);
  const engine = await createEngine({
    face: packs.find(({ manifest }) => manifest.task === 'face') ?? null,
    object: null,
    provider: 'cpu',
    workers,
    queueLimit: 100,
    limits: DEFAULT_IMAGE_LIMITS,
    source: { found: [], find: (revision) => Promise.resolve(packOf(packs, revision)) },
    observer: {
      jobStarted: () => undefined,
      jobRefused: () => undefined,
      helpStarted: () => seen.helps++,
      workerLost: () => seen.lost++,
      stageTimed: () => undefined,
      analysisRefused: () => undefined,
    },
  });
  engines.push(engine);
  return engine;
}

function packOf(packs: readonly ModelPack[], revision: string): ModelPack | null {
  return packs.find((pack) => pack.revision === revision) ?? null;
}

/** Analyzes a photo and returns everything that the networks have computed. */
async function facesIn(engine: Engine, photo: Uint8Array, signal?: AbortSignal) {
  const request = {
    image: new Uint8Array(photo),
    faces: {
      detectionThreshold: 0.5,
      embed: true,
      attributes: true,
      fullFramePass: false,
      upright: true,
    },
  };
  const analysis: ImageAnalysis = await engine.analyze(request, signal);
  return analysis.faces!.items;
}

describeWithShared('faces that idle workers run', () => {
  const photo = (name: string) => readFile(shared('photos/people', name));

  beforeEach(async () => {
    const pack = join(folder, 'people');
    await cp(shared('packs/insightface'), pack, { recursive: true });
    for (const part of ['genderage_contract.onnx', '1k3d68_contract.onnx']) {
      await cp(shared('parts', part), join(pack, part));
    }
  });

  test('have exactly the results that they have in one thread', async () => {
    const [alone, together] = [await open(1), await open(3)];
    for (const name of ['016_8.jpg', '012_4.jpg']) {
      const bytes = await photo(name);
      const expected = await facesIn(alone, bytes);
      expect(expected.length).toBeGreaterThan(3);
      expect(expected.every(({ embedding, age, pose }) => embedding && age !== null && pose)).toBe(
        true,
      );
      expect(seen.helps).toBe(0);
      expect(await facesIn(together, bytes)).toEqual(expected);
      expect(seen.helps).toBeGreaterThan(0);
      seen.helps = 0;
    }
  });

  test('do not delay or change a request that arrives while workers help', async () => {
    const engine = await open(2);
    const [crowd, other] = [await photo('016_8.jpg'), await photo('010_2.jpg')];
    const expected = [await facesIn(engine, crowd), await facesIn(engine, other)];
    seen.helps = 0;
    const first = facesIn(engine, crowd);
    while (seen.helps === 0) await sleep(1);
    const second = facesIn(engine, other);
    expect(engine.status().load.interactive).toMatchObject({ queued: 0, running: 2 });
    expect(await Promise.all([first, second])).toEqual(expected);
  });

  test('do not keep an aborted request or its workers', async () => {
    const engine = await open(2);
    const crowd = await photo('016_8.jpg');
    const expected = await facesIn(engine, crowd);
    seen.helps = 0;
    const controller = new AbortController();
    const aborted = facesIn(engine, crowd, controller.signal);
    while (seen.helps === 0) await sleep(1);
    controller.abort(new Error('the caller left'));
    await expect(aborted).rejects.toThrow('the caller left');
    expect(await Promise.all([facesIn(engine, crowd), facesIn(engine, crowd)])).toEqual([
      expected,
      expected,
    ]);
    expect(seen.lost).toBe(0);
  });

  test('are finished when the models are exchanged, and when the engine closes', async () => {
    const engine = await open(2);
    const crowd = await photo('016_8.jpg');
    const expected = await facesIn(engine, crowd);
    seen.helps = 0;
    const running = facesIn(engine, crowd);
    while (seen.helps === 0) await sleep(1);
    engine.hold({ provider: 'auto', models: [] });
    expect(await running).toEqual(expected);
    await engine.settled();
    await engine.close();
    expect(seen.lost).toBe(0);
  });
});

describe('many photos with toy models', () => {
  test('have the same results however many workers run their faces', async () => {
    await writeToyPacks(folder);
    const [alone, together] = [await open(1), await open(4)];
    const photos = await Promise.all(
      [2, 5, 9, 16].map(async (count) => (await drawPhoto({ faces: people(count) })).bytes()),
    );
    const expected = await Promise.all(photos.map((bytes) => facesIn(alone, bytes)));
    for (let round = 0; round < 10; round++) {
      for (const [index, bytes] of photos.entries()) {
        expect(await facesIn(together, bytes)).toEqual(expected[index]);
      }
      const all = await Promise.all(photos.map((bytes) => facesIn(together, bytes)));
      expect(all).toEqual(expected);
    }
    expect(seen.helps).toBeGreaterThan(10);
    expect(seen.lost).toBe(0);
  });
});
