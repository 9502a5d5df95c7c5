import { describe, expect, test } from '@jest/globals';
import type { ImageAnalysis } from '@sightline/core/analysis/image-analyzer';
import { transferableAnalysis } from './transferable-analysis.ts';

const rendition = (...bytes: number[]) => ({ jpeg: Uint8Array.from(bytes), width: 1, height: 1 });

describe('transferableAnalysis', () => {
  const model = { name: 'pack' } as NonNullable<ImageAnalysis['faces']>['model'];
  const batch = Float32Array.from([1, 2, 3, 4]);
  const region = Float32Array.from([5, 6]);
  const face = {
    bbox: { x: 0, y: 0, w: 1, h: 1 },
    confidence: 1,
    quality: 1,
    landmarks: null,
    age: null,
    gender: null,
    pose: null,
    turned: 0 as const,
  };

  test('transfers all memory, and the analysis arrives unchanged', () => {
    const analysis: ImageAnalysis = {
      image: { format: 'png', width: 1, height: 1, takenAt: null },
      faces: {
        model,
        items: [
          { ...face, embedding: batch.subarray(0, 2), crop: rendition(1) },
          { ...face, embedding: batch.subarray(2, 4), crop: rendition(2, 3) },
        ],
      },
      faceRegions: {
        model,
        items: [
          { embedding: region.subarray(1), embeddingSource: 'box', landmarks: null },
          {
            embedding: Float32Array.of(7),
            embeddingSource: 'aligned',
            landmarks: [{ x: 1, y: 2 }],
          },
        ],
      },
      objects: {
        model,
        items: [{ ...face, classId: 0, className: 'dot', crop: rendition(4) }],
      },
      source: rendition(5, 6, 7),
      boxCrops: [rendition(8)],
    };
    const expected = structuredClone(analysis);
    const transferable = transferableAnalysis(analysis);
    const arrived = structuredClone(transferable.analysis, {
      transfer: [...transferable.transfer],
    });
    expect(arrived).toEqual(expected);
    expect(transferable.transfer).toHaveLength(9);
    expect(transferable.transfer.every(({ detached }) => detached)).toBe(true);
    expect(arrived.faces?.items[0]?.embedding?.buffer.byteLength).toBe(8);
    expect([...batch, ...region]).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('accepts an analysis without optional parts', () => {
    const analysis: ImageAnalysis = {
      image: { format: 'png', width: 1, height: 1, takenAt: null },
      faces: { model, items: [{ ...face, embedding: null, crop: null }] },
      faceRegions: null,
      objects: null,
      source: null,
      boxCrops: [],
    };
    expect(transferableAnalysis(analysis)).toEqual({ analysis, transfer: [] });
  });
});
