import type { NamedModels } from '@sightline/core/models/analyzer-status';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { AnalysisRequest } from '@sightline/core/analysis/image-analyzer';
import type { DesiredModel, DesiredModels } from '@sightline/core/models/desired-models';
import { ModelLoadFailed } from '@sightline/core/models/model-errors';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { describeWithShared } from '@sightline/test/support/gates/describe-with-shared';
import { shared } from '@sightline/test/support/fixtures/shared';
import sharp from 'sharp';
import type { StageTiming } from './analyze-image.ts';
import { createEngine, type Engine, type EngineOptions } from './engine.ts';
import { isCudaAvailable, type ReadPacks } from './model-set.ts';
import { discoverPacks } from './packs/discover-packs.ts';
import type { ModelPack } from './packs/manifest.ts';
import type { ModelContents } from './packs/model-contents.ts';

const UNAVAILABLE = expect.objectContaining({ code: 'inference_unavailable' });

describeWithShared('the engine', () => {
  let facePack: ModelPack;
  let objectPack: ModelPack;
  let known: Map<string, ModelPack>;
  let engines: Engine[];
  let threads: Worker[];
  let seen: { timings: StageTiming[]; refused: string[]; lost: unknown[]; waits: number[] };
  const noteThread = (message: unknown) => threads.push((message as { worker: Worker }).worker);

  beforeAll(async () => {
    const { packs } = await discoverPacks(shared('packs'));
    facePack = packs.find(({ manifest }) => manifest.task === 'face')!;
    objectPack = packs.find(({ manifest }) => manifest.task === 'object')!;
  });

  beforeEach(() => {
    engines = [];
    known = new Map([facePack, objectPack].map((pack) => [pack.revision, pack]));
    threads = [];
    seen = { timings: [], refused: [], lost: [], waits: [] };
    subscribe('worker_threads', noteThread);
  });

  afterEach(async () => {
    unsubscribe('worker_threads', noteThread);
    await Promise.all(engines.map((engine) => engine.close(AbortSignal.abort())));
  });

  async function open(options: Partial<EngineOptions & ReadPacks> = {}): Promise<Engine> {
    const engine = await createEngine({
      face: facePack,
      object: null,
      provider: 'cpu',
      workers: 1,
      queueLimit: 10,
      limits: DEFAULT_IMAGE_LIMITS,
      source: { found: [], find: (revision) => Promise.resolve(known.get(revision) ?? null) },
      observer: {
        jobStarted: (waited) => seen.waits.push(waited),
        jobRefused: () => undefined,
        workerLost: (reason) => seen.lost.push(reason),
        stageTimed: (timing) => seen.timings.push(timing),
        analysisRefused: (code) => seen.refused.push(code),
      },
      ...options,
    });
    engines.push(engine);
    return engine;
  }

  /**
   * Requests every kind of result for a photo, so that the answer shows which models are active.
   */
  async function everything(photo: string): Promise<AnalysisRequest> {
    return {
      image: await readFile(shared('photos', photo)),
      faces: {
        detectionThreshold: 0.5,
        embed: true,
        attributes: true,
        fullFramePass: false,
        upright: false,
      },
      objects: { confidenceThreshold: 0.25, classFilter: [] },
    };
  }

  function damaged(pack: ModelPack): ModelPack {
    const components = pack.manifest.components.map((component) => ({
      ...component,
      sha256: '0'.repeat(64),
    }));
    return { ...pack, manifest: { ...pack.manifest, components }, revision: '0'.repeat(64) };
  }

  const desired = ({ face, object }: NamedModels): DesiredModels => {
    const model = (task: DesiredModel['task'], revision: string | undefined): DesiredModel[] =>
      revision === undefined ? [] : [{ task, revision, keep: 'loaded' }];
    return { provider: 'auto', models: [...model('face', face), ...model('object', object)] };
  };

  const NOTHING = { queued: 0, running: 0, environmentsQueued: 0 };
  const IDLE = { interactive: NOTHING, background: NOTHING };
  const SMALL = 'people/010_2.jpg';
  /** A photo of 36 megapixels, whose analysis takes long enough for a test to act during it. */
  const LARGE = 'people/001_A.jpg';

  test('reports the active models and their provider', async () => {
    const engine = await open({ object: objectPack, workers: 2 });
    expect(engine.status()).toMatchObject({
      ready: true,
      provider: 'cpu',
      fallbackReason: null,
      workers: 2,
      load: IDLE,
      models: [
        { name: 'insightface', task: 'face', embeddingDim: 512, revision: facePack.revision },
        { name: 'yolov8n', task: 'object', embeddingDim: null, revision: objectPack.revision },
      ],
    });
    expect(engine.status().models[1]?.classes).toHaveLength(80);
  });

  test('falls back to the CPU and reports why if CUDA is not available', async () => {
    const { provider, fallbackReason } = (await open({ provider: 'cuda' })).status();
    expect(fallbackReason === null).toBe(provider === 'cuda');
  });

  test('fails without CUDA if a fallback is not allowed', async () => {
    const opening = open({ provider: 'cuda', requiresCuda: true });
    if (isCudaAvailable()) expect((await opening).status().provider).toBe('cuda');
    else await expect(opening).rejects.toThrow(new ModelLoadFailed('CUDA is not available.'));
  });

  test('reports queue times, stages by model and rejected images to its observer', async () => {
    const engine = await open({ object: objectPack });
    await engine.analyze(await everything(SMALL));
    const stages = seen.timings.map(({ stage, model }) => `${stage} ${model ?? '-'}`);
    expect(stages).toEqual([
      'decode -',
      'detect insightface',
      'align insightface',
      'embed insightface',
      'detect yolov8n',
    ]);
    expect(seen.timings.every(({ milliseconds }) => milliseconds > 0)).toBe(true);
    const text = { image: new TextEncoder().encode('This is no image.') };
    await expect(engine.analyze(text)).rejects.toMatchObject({ code: 'unsupported_format' });
    expect(seen.refused).toEqual(['unsupported_format']);
    expect(seen.waits).toHaveLength(2);
  });

  test('fails to open with file and reason if a model does not load', async () => {
    const face = damaged(facePack);
    await expect(open({ face })).rejects.toMatchObject({
      code: 'model_load_failed',
      message: expect.stringContaining('.onnx'),
    });
  });

  test('reads and hashes each file once, however many workers load it', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sightline-engine-'));
    try {
      const source = shared('packs/insightface');
      await cp(source, join(folder, 'insightface'), { recursive: true });
      const contents: ModelContents = new Map();
      const { packs } = await discoverPacks(folder, contents);
      expect(contents.size).toBe(2);
      await rm(folder, { recursive: true });
      const engine = await open({ face: packs[0]!, contents, workers: 2 });
      const [first, second] = await Promise.all([
        engine.analyze(await everything(SMALL)),
        engine.analyze(await everything(SMALL)),
      ]);
      expect(first.faces?.items).toHaveLength(2);
      expect(second.faces?.items).toHaveLength(2);
      // The engine has loaded the models, so it no longer needs the bytes.
      expect(contents.size).toBe(0);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  test('exchanges models during analyses; each image is analyzed by one set only', async () => {
    const engine = await open({ queueLimit: 100 });
    const request = await everything(SMALL);
    const again = () => engine.analyze({ ...request, image: new Uint8Array(request.image) });
    const running = [again(), again()];
    engine.hold(desired({ object: objectPack.revision }));
    await engine.settled();
    const later = [again(), again()];
    for (const { faces, objects } of await Promise.all(running)) {
      expect([faces?.items.length, objects]).toEqual([2, null]);
    }
    for (const { faces, objects } of await Promise.all(later)) {
      expect(faces).toBeNull();
      expect(objects?.model.name).toBe('yolov8n');
    }
    expect(engine.status().models.map(({ name }) => name)).toEqual(['yolov8n']);
    expect(seen.lost).toHaveLength(0);
  });

  test('executes the newest of several desired states', async () => {
    const broken = damaged(facePack);
    known.set(broken.revision, broken);
    const engine = await open();
    engine.hold(desired({ face: facePack.revision, object: objectPack.revision }));
    engine.hold(desired({ face: broken.revision }));
    engine.hold(desired({ object: objectPack.revision }));
    await engine.settled();
    expect(engine.status().models.map(({ name }) => name)).toEqual(['yolov8n']);
    const { objects } = await engine.analyze(await everything('objects/bus.jpg'));
    expect(objects?.items.map(({ className }) => className)).toContain('bus');
  });

  test('keeps its models if other models do not load', async () => {
    const broken = damaged(facePack);
    known.set(broken.revision, broken);
    const engine = await open();
    engine.hold(desired({ face: broken.revision }));
    await engine.settled();
    expect(engine.status()).toMatchObject({ ready: true, models: [{ name: 'insightface' }] });
    const message = expect.stringMatching(/\.onnx has the digest/);
    expect(engine.status().report).toMatchObject([
      { revision: broken.revision, state: 'failed', error: { reason: 'LoadFailed', message } },
      { revision: facePack.revision, state: 'warm', error: null },
    ]);
    const { faces } = await engine.analyze(await everything(SMALL));
    expect(faces?.items).toHaveLength(2);
  });

  test('loses only one image when a thread dies, and reclaims its pixels', async () => {
    // The pixel budget has room for only one large photo at a time. The last analysis would fail if the budget still
    // counted the pixels of the terminated thread.
    const limits = { ...DEFAULT_IMAGE_LIMITS, maxPixelsInFlight: 50 * 2 ** 20 };
    const engine = await open({ limits });
    const request = await everything(LARGE);
    const again = () => engine.analyze({ ...request, image: new Uint8Array(request.image) });
    const taken = Promise.allSettled([again(), again(), again()]);
    // After 50 ms the thread still decodes the photo. Terminating a thread while it runs a network
    // could crash the process.
    await sleep(50);
    await threads[0]!.terminate();
    // On a busy machine the thread may have finished an image earlier, so the lost image can be any
    // of the three.
    const outcomes = await taken;
    const lost = outcomes.filter(({ status }) => status === 'rejected');
    expect(lost).toEqual([{ status: 'rejected', reason: UNAVAILABLE }]);
    await expect(again()).resolves.toMatchObject({ faces: { items: { length: 1 } } });
    expect(seen.lost).toHaveLength(1);
    expect(engine.status()).toMatchObject({ ready: true, workers: 1, load: IDLE });
  });

  test('finishes the images in flight when it closes, and accepts no more', async () => {
    const engine = await open();
    const taken = [
      engine.analyze(await everything(SMALL)),
      engine.analyze(await everything(SMALL)),
    ];
    const closed = engine.close();
    expect(engine.status().ready).toBe(false);
    await expect(engine.analyze(await everything(SMALL))).rejects.toEqual(UNAVAILABLE);
    expect(() => engine.hold(desired({ face: facePack.revision }))).toThrow(/shutting down/);
    await expect(Promise.all(taken)).resolves.toHaveLength(2);
    await closed;
    expect(engine.status()).toMatchObject({ workers: 0, load: IDLE });
  });

  test('frees a worker in the middle of a long stage when the caller leaves', async () => {
    const engine = await open({ face: null, object: objectPack, workers: 2 });
    const objects = { confidenceThreshold: 0.25, classFilter: [] };
    // A strip takes a run of the network for each of its tiles.
    const strip = async (width: number) => {
      const create = { width, height: 16, channels: 3, background: '#777' } as const;
      return new Uint8Array(await sharp({ create }).png().toBuffer());
    };
    const [first, second, longer] = await Promise.all([20_000, 20_000, 60_000].map(strip));
    const small = await readFile(shared('photos', 'people/010_2.jpg'));
    const started = performance.now();
    await engine.analyze({ image: first!, objects });
    const whole = performance.now() - started;

    const ended: string[] = [];
    const controller = new AbortController();
    const stays = engine.analyze({ image: longer!, objects }).then(() => ended.push('stays'));
    const left = engine.analyze({ image: second!, objects }, controller.signal);
    const leaves = expect(left).rejects.toThrow('the caller left');
    const waits = engine.analyze({ image: small, objects }).then(() => ended.push('waits'));
    await sleep(whole / 10);
    controller.abort(new Error('the caller left'));
    await Promise.all([stays, leaves, waits]);
    expect(ended).toEqual(['waits', 'stays']);
  });

  test('aborts the remaining images if closing takes too long', async () => {
    const engine = await open();
    const taken = engine.analyze(await everything(LARGE));
    const outcome = expect(taken).rejects.toEqual(UNAVAILABLE);
    const tooLong = new AbortController();
    const closed = engine.close(tooLong.signal);
    tooLong.abort();
    await closed;
    await outcome;
  });
});
