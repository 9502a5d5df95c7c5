import { describe, expect, test } from '@jest/globals';
import { FACE_MODEL } from '../models/testing/sample-models.ts';
import type { GalleryReader, GalleryReference } from '../references/gallery-store.ts';
import { readGallery } from './read-gallery.ts';

const ANN = 10;
const BEA = 20;

function reference(id: number, identityId: number): GalleryReference {
  return { id, identityId, detectionId: id, vector: Float32Array.of(1, 0) };
}

function read(stored: readonly GalleryReference[], hidden: readonly number[] = []) {
  const gallery = {
    references: (_, ids) => Promise.resolve(stored.filter(({ id }) => ids.includes(id))),
    referencesOf: (_, ids) =>
      Promise.resolve(stored.filter(({ identityId }) => ids.includes(identityId))),
  } as Partial<GalleryReader> as GalleryReader;
  const proposals = {
    model: { ...FACE_MODEL, id: 7 },
    strategy: 'best_match',
    dimension: 2,
    identityIds: [ANN, BEA],
    // Two faces that are closest to different references of Ann.
    closest: [
      { identityId: ANN, pointId: 1 },
      { identityId: ANN, pointId: 2 },
      { identityId: BEA, pointId: 5 },
    ],
  } as const;
  const links = hidden.map((id) => ({ id, identityId: ANN, detectionId: id, modelId: 7 }));
  return readGallery(gallery, proposals, links).then((vectors) =>
    vectors.map((vector) => (vector as GalleryReference).id).sort((a, b) => a - b),
  );
}

const STORED = [1, 2, 3]
  .map((id) => reference(id, ANN))
  .concat(reference(5, BEA), reference(6, BEA));

describe('faces are compared with', () => {
  test('the references that were found', async () => {
    expect(await read(STORED)).toEqual([1, 2, 5]);
  });

  test.each([
    ['deleted', STORED.slice(1), []],
    ['damaged', [{ ...STORED[0]!, vector: Float32Array.of(1) }, ...STORED.slice(1)], []],
    ['hidden', STORED, [1]],
  ])('all of an identity, each once, of which one is %s', async (_, stored, hidden) => {
    expect(await read(stored, hidden)).toEqual([2, 3, 5]);
  });

  test('no identity without a reference left', async () => {
    expect(await read(STORED.slice(0, 3))).toEqual([1, 2]);
  });

  test('the current identities of references', async () => {
    const merged = [reference(1, BEA), reference(2, BEA), reference(5, BEA)];
    expect(await read(merged)).toEqual([1, 2, 5]);
  });
});
