import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Point } from '@sightline/core/analysis/geometry';
import type { AnalyzedFace, FaceRegion } from '@sightline/core/analysis/image-analyzer';
import { cosineSimilarity } from '@sightline/core/matching/cosine-similarity';
import {
  BOTH,
  FACES,
  type OpenAnalyzer,
  type OpenAnalyzerWith,
  photo,
  SMALL,
} from './analyzer-setup.ts';

/** The contract of all adapters of the ImageAnalyzer port for faces whose regions are known. */
export function describeFaceRegions(open: OpenAnalyzerWith): void {
  describe('with regions', () => {
    let opened: OpenAnalyzer;
    let detected: readonly AnalyzedFace[];
    const CROWD = 'people/016_8.jpg';

    beforeAll(async () => {
      opened = await open({ ...BOTH, object: false });
      const analysis = await opened.analyzer.analyze({ image: await photo(CROWD), faces: FACES });
      detected = analysis.faces!.items;
    });
    afterAll(async () => {
      await opened[Symbol.asyncDispose]();
    });

    async function embed(faceRegions: readonly FaceRegion[]) {
      const image = await photo(CROWD);
      const analysis = await opened.analyzer.analyze({ image, faceRegions });
      expect(analysis).toMatchObject({ faces: null, objects: null, source: null });
      return analysis.faceRegions!;
    }

    test('embeds by the landmarks of detected faces as their detection did', async () => {
      const { models } = await opened.analyzer.status();
      const backwards = detected.toReversed();
      const { model, items } = await embed(backwards);
      expect(model).toEqual(models[0]);
      expect(items).toHaveLength(8);
      for (const [index, { embedding, embeddingSource, landmarks }] of items.entries()) {
        expect(embeddingSource).toBe('aligned');
        expect(landmarks).toEqual(backwards[index]!.landmarks);
        expect(cosineSimilarity(embedding!, backwards[index]!.embedding!)).toBeCloseTo(1, 6);
      }
    });

    test('does so beside a detection, in one answer', async () => {
      const image = await photo(CROWD);
      const { faces, faceRegions } = await opened.analyzer.analyze({
        image,
        faces: FACES,
        faceRegions: detected.slice(2, 4),
      });
      expect(faces?.items).toEqual(detected);
      expect(faceRegions?.items.map(({ embedding }) => embedding)).toEqual(
        detected.slice(2, 4).map(({ embedding }) => embedding),
      );
    });

    // The least cosine of 0.85 is low, because one face is only 30 pixels large, and because the shared recognizer is
    // quantized.
    test('embeds from the stored JPEG nearly as from the original', async () => {
      const image = await photo(CROWD);
      const renditions = {
        source: { maxSize: 1920, quality: 85 },
        crops: { padding: 0, quality: 75 },
      };
      const { source } = await opened.analyzer.analyze({ image, renditions });
      const { faceRegions } = await opened.analyzer.analyze({
        image: source!.jpeg,
        faceRegions: detected,
      });
      for (const [index, { embedding }] of faceRegions!.items.entries()) {
        expect(cosineSimilarity(embedding!, detected[index]!.embedding!)).toBeGreaterThan(0.85);
      }
    });

    test('finds the landmarks of the face in a box, drawn closely or loosely', async () => {
      const loose = detected.map(({ bbox: { x, y, w, h } }) => ({
        bbox: { x: x - 0.2 * w, y: y - 0.25 * h, w: 1.4 * w, h: 1.4 * h },
        landmarks: null,
      }));
      const close = detected.map(({ bbox }) => ({ bbox, landmarks: null }));
      const { items } = await embed([...close, ...loose]);
      for (const [index, { embedding, embeddingSource, landmarks }] of items.entries()) {
        const face = detected[index % detected.length]!;
        expect(embeddingSource).toBe('aligned');
        expect(farthest(landmarks!, face.landmarks!)).toBeLessThan(0.1 * face.bbox.h);
        expect(cosineSimilarity(embedding!, face.embedding!)).toBeGreaterThan(0.85);
      }
    });

    test('embeds the box itself where no face is found in it', async () => {
      const corner = { bbox: { x: 0, y: 0, w: 40, h: 40 }, landmarks: null };
      const point = { bbox: { x: 3, y: 3, w: 0, h: 0 }, landmarks: null };
      const { items } = await embed([corner, detected[0]!, point]);
      const sources = items.map(({ embeddingSource }) => embeddingSource);
      expect(sources).toEqual(['box', 'aligned', 'box']);
      expect(items.map(({ landmarks }) => landmarks)).toEqual([null, detected[0]!.landmarks, null]);
      for (const { embedding } of items) expect(Math.hypot(...embedding!)).toBeCloseTo(1, 5);
    });

    test('answers null for none', async () => {
      const image = await photo(SMALL);
      const { faceRegions } = await opened.analyzer.analyze({ image, faceRegions: [] });
      expect(faceRegions).toBeNull();
    });
  });
}

/** The largest distance of two points that belong together, in pixels. */
function farthest(points: readonly Point[], others: readonly Point[]): number {
  return Math.max(
    ...points.map(({ x, y }, index) => Math.hypot(x - others[index]!.x, y - others[index]!.y)),
  );
}
