import { describe, expect, test } from '@jest/globals';
import type {
  AnalysisRequest,
  AnalyzedFace,
  ImageAnalysis,
  ImageAnalyzer,
} from '../analysis/image-analyzer.ts';
import type { Database, Stores } from '../database/database.ts';
import type { ActiveModel } from '../models/model.ts';
import { verifyFaces } from './verify-faces.ts';

const MODEL: ActiveModel = {
  name: 'pocket',
  task: 'face',
  version: '1',
  revision: 'a'.repeat(64),
  license: 'Apache-2.0',
  commercialUse: true,
  commercialUseReason: null,
  provides: [],
  embeddingDim: 2,
  classes: [],
  similarityCalibration: null,
};

const face = (size: number, embedding: number[]): AnalyzedFace => ({
  bbox: { x: 0, y: 0, w: size, h: size },
  confidence: 0.9,
  quality: 0.9,
  landmarks: null,
  embedding: Float32Array.from(embedding),
  age: null,
  gender: null,
  pose: null,
  turned: 0,
  crop: null,
});

/** An analyzer whose result is the element at the index in the image's only byte. */
function analyzerOf(images: (ImageAnalysis['faces'] | null)[]): ImageAnalyzer {
  return {
    status: () => Promise.resolve({ ready: true, provider: 'cpu', models: [MODEL], report: [] }),
    requireRoom: () => undefined,
    analyze: (request: AnalysisRequest) =>
      Promise.resolve({
        image: { format: 'jpeg', width: 10, height: 10, takenAt: null },
        faces: images[request.image[0]!]!,
        faceRegions: null,
        objects: null,
        source: null,
        boxCrops: [],
      }),
  };
}

const found = (...items: AnalyzedFace[]) => ({ model: MODEL, items });
const IMAGES = [Uint8Array.of(0), Uint8Array.of(1)] as const;

/** A database without stored settings, so that the defaults apply. */
const database = {
  withScope: (_, read) =>
    read({ settings: { all: () => Promise.resolve(new Map()) } } as unknown as Stores),
} as Database;

const readAudit = { note: () => undefined };

function verify(first: ImageAnalysis['faces'], second: ImageAnalysis['faces'], threshold?: number) {
  return verifyFaces(
    { analyzer: analyzerOf([first, second]), database, readAudit },
    { scope: { environmentId: 1 }, images: IMAGES, ...(threshold !== undefined && { threshold }) },
  );
}

describe('verifyFaces', () => {
  test('compares the largest faces and counts all', async () => {
    const result = await verify(
      found(face(5, [0, 1]), face(9, [1, 0])),
      found(face(3, [0.6, 0.8])),
    );
    expect(result.similarity).toBeCloseTo(0.6);
    expect(result).toMatchObject({ match: true, threshold: 0.5 });
    expect(result.faces.map(({ count }) => count)).toEqual([2, 1]);
    expect(result.faces[0].face.bbox.w).toBe(9);
  });

  test('applies the given threshold, and a similarity equal to it is a match', async () => {
    const faces = found(face(5, [1, 0]));
    expect(await verify(faces, found(face(5, [0, 1])), 0)).toMatchObject({ match: true });
    expect(await verify(faces, found(face(5, [0.6, 0.8])), 0.7)).toMatchObject({ match: false });
  });

  test('applies the calibration of the model', async () => {
    const model: ActiveModel = {
      ...MODEL,
      similarityCalibration: [
        [0, 0],
        [0.5, 0.9],
        [1, 1],
      ],
    };
    const result = await verify(
      { model, items: [face(5, [1, 0])] },
      { model, items: [face(5, [0.5, Math.sqrt(0.75)])] },
    );
    expect(result.similarity).toBeCloseTo(0.9);
  });

  test('names the image that has no face', async () => {
    await expect(verify(found(face(5, [1, 0])), found())).rejects.toMatchObject({
      code: 'face_count',
      facts: { faces: 0, image: 2 },
    });
  });

  test.each([0, 1])('aborts the other image as soon as image %i fails', async (failing) => {
    const aborted: number[] = [];
    const analyzer = analyzerOf([found(), found()]);
    const analyze: ImageAnalyzer['analyze'] = async (request, signal) => {
      const index = request.image[0]!;
      if (index === failing) return analyzer.analyze(request);
      return new Promise((_, reject) => {
        signal!.addEventListener('abort', () => {
          aborted.push(index);
          reject(signal!.reason as Error);
        });
      });
    };
    const verification = verifyFaces(
      { analyzer: { ...analyzer, analyze }, database, readAudit },
      { scope: { environmentId: 1 }, images: IMAGES },
    );
    await expect(verification).rejects.toMatchObject({ facts: { image: failing + 1 } });
    expect(aborted).toEqual([1 - failing]);
  });

  test('requires a face model', async () => {
    await expect(verify(null, null)).rejects.toMatchObject({ code: 'no_active_model' });
  });

  test('requires a face model that computes embeddings', async () => {
    const model = { ...MODEL, embeddingDim: null };
    const detected = { model, items: [{ ...face(5, [1, 0]), embedding: null }] };
    await expect(verify(detected, detected)).rejects.toMatchObject({ code: 'no_active_model' });
  });

  test('names the image whose face cannot be aligned', async () => {
    const detected = found({ ...face(5, [1, 0]), embedding: null });
    await expect(verify(found(face(5, [1, 0])), detected)).rejects.toMatchObject({
      code: 'no_embedding',
      message: expect.stringContaining('image 2'),
    });
  });

  test('does not compare embeddings of different models', async () => {
    const other = { ...MODEL, revision: 'b'.repeat(64) };
    await expect(
      verify(found(face(5, [1, 0])), { model: other, items: [face(5, [1, 0])] }),
    ).rejects.toMatchObject({ code: 'inference_unavailable' });
  });
});
