import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { intersectionOverUnion } from '@sightline/core/analysis/geometry';
import type {
  AnalysisRequest,
  ImageAnalysis,
  ImageAnalyzer,
} from '@sightline/core/analysis/image-analyzer';
import { backgroundOf, type Tenant } from '@sightline/core/analysis/tenant';
import { cosineSimilarity } from '@sightline/core/matching/cosine-similarity';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import sharp from 'sharp';
import { shared } from '../support/fixtures/shared.ts';
import {
  type AnalyzerSetup,
  BOTH,
  FACES,
  OBJECTS,
  type OpenAnalyzer,
  type OpenAnalyzerWith,
  photo,
  SMALL,
} from './analyzer-setup.ts';
import { describeFaceRegions } from './face-regions.contract.ts';

/** 36 megapixels: their analysis takes long enough for other requests to arrive during it. */
const LARGE = 'people/001_A.jpg';

/** The contract of all adapters of the ImageAnalyzer port; needs the shared models and photos. */
export function describeImageAnalyzerContract(name: string, open: OpenAnalyzerWith): void {
  describe(`${name} as an image analyzer`, () => {
    describeResults(open);
    describeFaceRegions(open);
    describeRefusals(open);
    describeTurns(open);
    describeAborts(open);
    describeMissingModels(open);
  });
}

function describeResults(open: OpenAnalyzerWith): void {
  describe('with both models', () => {
    let opened: OpenAnalyzer;
    let analyzer: ImageAnalyzer;

    beforeAll(async () => {
      opened = await open(BOTH);
      analyzer = opened.analyzer;
    });
    afterAll(async () => {
      await opened[Symbol.asyncDispose]();
    });

    const analyze = async (path: string, request: Omit<AnalysisRequest, 'image'>) =>
      analyzer.analyze({ ...request, image: await photo(path) });

    test('names the models and where they run', async () => {
      const status = await analyzer.status();
      expect(status).toMatchObject({
        ready: true,
        models: [
          { name: 'insightface', task: 'face', embeddingDim: 512, provides: expect.any(Array) },
          { name: 'yolov8n', task: 'object', embeddingDim: null },
        ],
      });
      expect(['cpu', 'cuda']).toContain(status.provider);
      const { faces, objects } = await analyze(SMALL, { faces: FACES, objects: OBJECTS });
      expect([faces?.model, objects?.model]).toEqual(status.models);
    });

    test('finds what the reference implementation finds', async () => {
      const golden = await goldenFaces('people/000_5.jpg');
      const { image, faces, objects } = await analyze('people/000_5.jpg', { faces: FACES });
      expect(image).toEqual({ format: 'jpeg', width: 819, height: 546, takenAt: null });
      expect(objects).toBeNull();
      expect(faces?.items).toHaveLength(golden.length);
      for (const { box, embedding, score } of golden) {
        const face = faces!.items.find(({ bbox }) => intersectionOverUnion(bbox, box) >= 0.97)!;
        expect(face.confidence).toBeCloseTo(score, 2);
        expect(face.landmarks).toHaveLength(5);
        expect(cosineSimilarity(face.embedding!, embedding)).toBeGreaterThanOrEqual(0.99);
      }
    });

    test('finds objects by their class', async () => {
      const { faces, objects } = await analyze('objects/bus.jpg', { objects: OBJECTS });
      expect(faces).toBeNull();
      const names = objects!.items.map(({ className }) => className);
      expect(names).toContain('bus');
      expect(names.filter((found) => found === 'person').length).toBeGreaterThanOrEqual(4);
      for (const { classId, className } of objects!.items) {
        expect(objects!.model.classes[classId]).toBe(className);
      }
      const only = { ...OBJECTS, classFilter: ['bus'] };
      const filtered = await analyze('objects/bus.jpg', { objects: only });
      expect(filtered.objects?.items.map(({ className }) => className)).toEqual(['bus']);
    });

    test('gives the most certain first, inside the image, none below the threshold', async () => {
      const faces = { ...FACES, detectionThreshold: 0.6 };
      const objects = { ...OBJECTS, confidenceThreshold: 0.4 };
      const analysis = await analyze('people/016_8.jpg', { faces, objects });
      expect(analysis.faces?.items).toHaveLength(8);
      expectOrdered(analysis.faces!.items, analysis.image, 0.6);
      expectOrdered(analysis.objects!.items, analysis.image, 0.4);
    });

    test('leaves out what is not asked for', async () => {
      const faces = { ...FACES, embed: false, attributes: false };
      const analysis = await analyze(SMALL, { faces });
      expect(analysis.faces?.items).toHaveLength(2);
      for (const face of analysis.faces!.items) {
        expect(face).toMatchObject({
          embedding: null,
          age: null,
          gender: null,
          pose: null,
          turned: 0,
          crop: null,
        });
      }
      expect(analysis).toMatchObject({ objects: null, source: null });
      const plain = await analyze(SMALL, {});
      expect(plain).toMatchObject({ image: { width: 800 }, faces: null, objects: null });
    });

    test('gives embeddings of length one', async () => {
      const { faces } = await analyze(SMALL, { faces: FACES });
      for (const { embedding } of faces!.items) {
        expect(embedding).toBeInstanceOf(Float32Array);
        expect(embedding).toHaveLength(faces!.model.embeddingDim!);
        expect(Math.hypot(...embedding!)).toBeCloseTo(1, 5);
      }
    });

    test('makes JPEGs of the source and of each find', async () => {
      const renditions = {
        source: { maxSize: 400, quality: 80 },
        crops: { padding: 0.25, quality: 80 },
      };
      const { image, source, faces, objects } = await analyze(SMALL, {
        faces: FACES,
        objects: OBJECTS,
        renditions,
      });
      expect(source).toMatchObject({ width: 400, height: Math.round((400 * image.height) / 800) });
      expectJpeg(source!.jpeg);
      for (const { bbox, crop } of [...faces!.items, ...objects!.items]) {
        expectJpeg(crop!.jpeg);
        // Edges are rounded to whole pixels, and the padding ends at the edge of the image.
        expect(crop!.width).toBeLessThanOrEqual(Math.ceil(bbox.w * 1.5) + 1);
        expect(crop!.width).toBeGreaterThanOrEqual(Math.floor(bbox.w));
        expect(crop!.height).toBeLessThanOrEqual(Math.ceil(bbox.h * 1.5) + 1);
        expect(crop!.height).toBeGreaterThanOrEqual(Math.floor(bbox.h));
      }
    });

    test('cuts the boxes it is given, in their order, and makes no other JPEG', async () => {
      const boxes = [
        { x: 700, y: 10, w: 50, h: 40 },
        { x: 0, y: 0, w: 10, h: 20 },
      ];
      const analysis = await analyze(SMALL, {
        renditions: { crops: { padding: 0, quality: 80 }, boxes },
      });
      expect(analysis).toMatchObject({ faces: null, objects: null, source: null });
      const sizes = analysis.boxCrops.map(({ width, height }) => [width, height]);
      expect(sizes).toEqual([
        [50, 40],
        [10, 20],
      ]);
      for (const { jpeg } of analysis.boxCrops) expectJpeg(jpeg);
    });

    test('finds and embeds the same with and without JPEGs', async () => {
      const request = { faces: FACES, objects: OBJECTS };
      const plain = await analyze('people/016_8.jpg', request);
      const renditions = {
        source: { maxSize: 320, quality: 60 },
        crops: { padding: 0.2, quality: 60 },
      };
      const { faces, objects } = await analyze('people/016_8.jpg', { ...request, renditions });
      const bare = <Item>(items: readonly Item[]) => items.map((item) => ({ ...item, crop: null }));
      expect(bare(faces!.items)).toEqual(plain.faces!.items);
      expect(bare(objects!.items)).toEqual(plain.objects!.items);
    });

    test('does not enlarge a source that is smaller', async () => {
      const renditions = {
        source: { maxSize: 4000, quality: 80 },
        crops: { padding: 0, quality: 80 },
      };
      const { image, source } = await analyze(SMALL, { renditions });
      expect(source).toMatchObject({ width: image.width, height: image.height });
    });

    test('takes any view of bytes and leaves what lies around them', async () => {
      const bytes = await photo(SMALL);
      const around = new Uint8Array(bytes.length + 20).fill(7);
      around.set(bytes, 10);
      const inside = around.subarray(10, 10 + bytes.length);
      const { faces } = await analyzer.analyze({ image: inside, faces: FACES });
      expect(faces?.items).toHaveLength(2);
      expect(around.slice(0, 10)).toEqual(new Uint8Array(10).fill(7));
      const buffer = Buffer.from(new Uint8Array(bytes));
      const again = await analyzer.analyze({ image: buffer, faces: FACES });
      expect(again.faces?.items).toEqual(faces?.items);
    });
  });
}

function describeRefusals(open: OpenAnalyzerWith): void {
  describe('refuses', () => {
    const opened: OpenAnalyzer[] = [];
    afterEach(async () => {
      for (const one of opened.splice(0)) await one[Symbol.asyncDispose]();
    });

    async function analyzerWith(setup: Partial<AnalyzerSetup>): Promise<ImageAnalyzer> {
      opened.push(await open({ ...BOTH, object: false, ...setup }));
      return opened[0]!.analyzer;
    }

    test('what is no image, what is damaged and what is too large, and goes on', async () => {
      const bytes = await photo(SMALL);
      const limits = { maxBytes: bytes.length + 1000, maxPixels: 500_000 };
      const analyzer = await analyzerWith({ limits });
      const analyze = (image: Uint8Array) => analyzer.analyze({ image, faces: FACES });

      const text = new TextEncoder().encode('This is no image.');
      await expect(analyze(text)).rejects.toMatchObject({ code: 'unsupported_format' });
      await expect(analyze(new Uint8Array(0))).rejects.toMatchObject({
        code: 'unsupported_format',
      });
      const truncated = bytes.slice(0, bytes.length / 2);
      await expect(analyze(truncated)).rejects.toMatchObject({ code: 'image_corrupt' });
      const heavy = new Uint8Array(bytes.length + 1001);
      heavy.set(bytes);
      await expect(analyze(heavy)).rejects.toMatchObject({
        code: 'image_too_large',
        facts: { max_bytes: limits.maxBytes },
      });
      await expect(analyze(await photo('objects/horses.jpg'))).resolves.toBeDefined();
      const { faces } = await analyze(bytes);
      expect(faces?.items).toHaveLength(2);
    });

    test('more pixels than allowed, however few bytes they take', async () => {
      const analyzer = await analyzerWith({ limits: { maxPixels: 400_000 } });
      const analysis = analyzer.analyze({ image: await photo(SMALL), faces: FACES });
      await expect(analysis).rejects.toMatchObject({
        code: 'image_too_large',
        facts: { pixels: 800 * 566, max_pixels: 400_000 },
      });
    });

    test('more images than may wait, with a time to come back', async () => {
      const taken = Promise.withResolvers<null>();
      const analyzer = await analyzerWith({ queueLimit: 1, onBegun: () => taken.resolve(null) });
      const heavy = await heavyImage();
      const images = Array.from({ length: 5 }, () => new Uint8Array(heavy));
      const [first, ...others] = images;
      const analyze = (image: Uint8Array) => analyzer.analyze({ image, faces: FACES });
      const begun = analyze(first!);
      await taken.promise;
      // All others arrive while the worker analyzes the first image, because it is large.
      const outcomes = await Promise.allSettled([begun, ...others.map(analyze)]);
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(refused).toHaveLength(3);
      const left = images.filter((_, i) => outcomes[i]!.status === 'rejected');
      expect(left.map(({ length }) => length)).toEqual(left.map(() => heavy.length));
      for (const { reason } of refused) {
        expect(reason).toMatchObject({ code: 'overloaded' });
        expect(reason.retryAfterSeconds).toBeGreaterThanOrEqual(1);
      }
      const { faces } = await analyzer.analyze({ image: await photo(SMALL), faces: FACES });
      expect(faces?.items).toHaveLength(2);
    });
  });
}

function describeTurns(open: OpenAnalyzerWith): void {
  describe('takes turns', () => {
    const FLOOD = { environment: '1', caller: 'key-1' };
    const OTHER = { environment: '2', caller: 'key-2' };
    const JOBS = backgroundOf({ environmentId: 2 });

    test('one that comes beside a flood finds a place, and is next', async () => {
      const taken = Promise.withResolvers<null>();
      const onBegun = () => taken.resolve(null);
      await using opened = await open({ ...BOTH, object: false, queueLimit: 4, onBegun });
      const { analyzer } = opened;
      const order: string[] = [];
      const analyze = async (tenant: Tenant, image: Uint8Array) => {
        await analyzer.analyze({ image, tenant, faces: FACES });
        order.push(tenant.environment);
      };
      const small = await photo(SMALL);
      const first = analyze(FLOOD, await heavyImage());
      await taken.promise;
      // All others arrive while the worker analyzes the first image, because it is large.
      const flood = Array.from({ length: 6 }, () => analyze(FLOOD, Uint8Array.from(small)));
      const other = analyze(OTHER, Uint8Array.from(small));
      const outcomes = await Promise.allSettled([first, ...flood, other]);
      const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
      expect(refused.map(({ reason }) => (reason as { code: string }).code)).toEqual(
        Array.from({ length: 4 }, () => 'overloaded'),
      );
      expect(order).toEqual(['1', '2', '1', '1']);
    });

    test('background work waits, however much there is, and a caller only for what is at work', async () => {
      const taken = Promise.withResolvers<null>();
      const onBegun = () => taken.resolve(null);
      await using opened = await open({ ...BOTH, object: false, queueLimit: 1, onBegun });
      const { analyzer } = opened;
      const order: string[] = [];
      const analyze = async (tenant: Tenant, image: Uint8Array) => {
        analyzer.requireRoom(tenant);
        await analyzer.analyze({ image, tenant });
        order.push(tenant.caller);
      };
      const small = await photo(SMALL);
      const first = analyze(JOBS, await heavyImage());
      await taken.promise;
      // All others arrive while the worker analyzes the first image, because it is large.
      const jobs = Array.from({ length: 30 }, () => analyze(JOBS, Uint8Array.from(small)));
      const caller = analyze(OTHER, Uint8Array.from(small));
      await Promise.all([first, ...jobs, caller]);
      expect(order).toHaveLength(32);
      // On a busy machine the caller's image may arrive only after the worker has begun some more images of the jobs.
      expect(order.indexOf(OTHER.caller)).toBeLessThan(jobs.length / 2);
    });
  });
}

/** An image of few bytes with the most pixels allowed: it arrives fast, and its analysis takes long. */
async function heavyImage(): Promise<Uint8Array> {
  const side = Math.floor(Math.sqrt(DEFAULT_IMAGE_LIMITS.maxPixels));
  const create = { width: side, height: side, channels: 3, background: '#777' } as const;
  return sharp({ create }).png().toBuffer();
}

function describeAborts(open: OpenAnalyzerWith): void {
  describe('on abort', () => {
    let opened: OpenAnalyzer;
    let analyzer: ImageAnalyzer;
    let onBegun: () => void;
    const reason = new Error('the caller left');

    beforeAll(async () => {
      opened = await open({ ...BOTH, object: false, onBegun: () => onBegun() });
      analyzer = opened.analyzer;
    });
    beforeEach(() => {
      onBegun = () => undefined;
    });
    afterAll(async () => {
      await opened[Symbol.asyncDispose]();
    });

    const request = async (path: string) => ({ image: await photo(path), faces: FACES });

    /** Starts an analysis, and resolves when a worker has the image. */
    async function begin(image: AnalysisRequest, signal?: AbortSignal) {
      const { promise: begun, resolve } = Promise.withResolvers<null>();
      onBegun = () => resolve(null);
      const analysis = analyzer.analyze(image, signal);
      await begun;
      return { analysis };
    }

    test('before the call does nothing but reject with the reason', async () => {
      const analysis = analyzer.analyze(await request(SMALL), AbortSignal.abort(reason));
      await expect(analysis).rejects.toBe(reason);
    });

    test('of a waiting image rejects at once and leaves the others alone', async () => {
      const controller = new AbortController();
      const [large, small] = [await request(LARGE), await request(SMALL)];
      const { analysis: running } = await begin(large);
      const waiting = analyzer.analyze(large, controller.signal);
      const last = analyzer.analyze(small);
      controller.abort(reason);
      const first = await Promise.race([running, waiting.catch((error: unknown) => error)]);
      expect(first).toBe(reason);
      expect((await running).faces?.items).toHaveLength(1);
      expect((await last).faces?.items).toHaveLength(2);
    });

    test('of an image at work rejects at once, and the next ones are served', async () => {
      const controller = new AbortController();
      const [large, small] = [await request(LARGE), await request(SMALL)];
      const { analysis: running } = await begin(large, controller.signal);
      const next = analyzer.analyze(small);
      controller.abort(reason);
      const first = await Promise.race([next, running.catch((error: unknown) => error)]);
      expect(first).toBe(reason);
      expect((await next).faces?.items).toHaveLength(2);
    });
  });
}

function describeMissingModels(open: OpenAnalyzerWith): void {
  test('answers null for a task without a model', async () => {
    await using opened = await open({ ...BOTH, face: false });
    const { analyzer } = opened;
    const { models } = await analyzer.status();
    expect(models.map(({ task }) => task)).toEqual(['object']);
    const image = await photo(SMALL);
    const faceRegions = [{ bbox: { x: 10, y: 10, w: 50, h: 50 }, landmarks: null }];
    const analysis = await analyzer.analyze({
      image,
      faces: FACES,
      faceRegions,
      objects: OBJECTS,
    });
    expect([analysis.faces, analysis.faceRegions]).toEqual([null, null]);
    expect(analysis.objects?.items.map(({ className }) => className)).toContain('person');
  });
}

function expectOrdered(
  items: readonly { bbox: { x: number; y: number; w: number; h: number }; confidence: number }[],
  { width, height }: ImageAnalysis['image'],
  least: number,
): void {
  const scores = items.map(({ confidence }) => confidence);
  expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  expect(Math.min(...scores)).toBeGreaterThanOrEqual(least);
  for (const { bbox } of items) {
    expect(Math.min(bbox.x, bbox.y)).toBeGreaterThanOrEqual(0);
    expect(bbox.x + bbox.w).toBeLessThanOrEqual(width);
    expect(bbox.y + bbox.h).toBeLessThanOrEqual(height);
  }
}

function expectJpeg(bytes: Uint8Array): void {
  expect([...bytes.subarray(0, 2), ...bytes.subarray(-2)]).toEqual([0xff, 0xd8, 0xff, 0xd9]);
}

interface GoldenPhoto {
  readonly faces: readonly {
    readonly bbox_xyxy: readonly [number, number, number, number];
    readonly score: number;
    readonly embedding_512: readonly number[];
  }[];
}

async function goldenFaces(path: string) {
  const text = await readFile(shared('golden/insightface-faces.json'), 'utf8');
  const { faces } = (JSON.parse(text) as Record<string, GoldenPhoto>)[path]!;
  return faces.map(({ bbox_xyxy: [x1, y1, x2, y2], score, embedding_512 }) => ({
    box: { x: x1, y: y1, w: x2 - x1, h: y2 - y1 },
    score,
    embedding: Float32Array.from(embedding_512),
  }));
}
