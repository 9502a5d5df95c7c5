import { expect, test } from '@jest/globals';
import type { Detection } from '../../detections/detection.ts';
import type { Identity } from '../../identities/identity.ts';
import { identityKey } from '../../identities/identity-key.ts';
import type { SourceImage } from '../../sources/source-image.ts';
import type { ImportedDetection, ImportRun } from './import-run.ts';
import { planImport } from './plan-import.ts';
import type { ImportState } from './read-import-state.ts';

const [ANN, BEA] = [10, 20];
const boxAt = (index: number) => ({ x: index * 100, y: 0, w: 20, h: 20 });
const named = (id: number) => ({ type: 'face' as const, label: `${id}`, externalRef: null });

type Face = Pick<Detection, 'identityId' | 'reviewStatus'>;
const of = (identityId: number | null, reviewStatus: Face['reviewStatus'] = 'pending'): Face => ({
  identityId,
  reviewStatus,
});

/** A face of the archive with an automatic decision. */
function archivedFace(index: number, { identityId, reviewStatus }: Face, notOf: readonly number[]) {
  const face: Partial<ImportedDetection> = {
    type: 'face',
    bbox: boxAt(index),
    className: null,
    identity: identityId === null ? null : named(identityId),
    similarity: null,
    reviewStatus,
    decidedBy: 'automatic',
    dismissedAt: null,
    vectors: [],
    rejections: notOf.map((id) => {
      return { identity: named(id), isLatest: false, rejectedAt: new Date(0) };
    }),
  };
  return face as ImportedDetection;
}

/** Imports faces of an archive over stored faces at the same positions. Returns the faces after the import. */
function imported(
  stored: readonly (Face | null)[],
  archived: readonly Face[],
  notOf: readonly (readonly number[])[] = [],
): readonly Face[] {
  const detections = stored.flatMap((face, index) => {
    if (face === null) return [];
    const known: Partial<Detection> = {
      ...face,
      id: index + 1,
      type: 'face',
      bbox: boxAt(index),
      decidedBy: 'automatic',
      dismissedAt: null,
    };
    return [known as Detection];
  });
  const run: Partial<ImportRun> = {
    posted: null,
    faces: archived.map((face, index) => archivedFace(index, face, notOf[index] ?? [])),
    objects: [],
  };
  const known = [ANN, BEA].map((id) => [identityKey(named(id)), { id } as Identity] as const);
  const state: Partial<ImportState> = {
    source: { externalRef: 'kept' } as SourceImage,
    detections,
    references: [],
    rejections: new Map(),
    identities: new Map(),
    mentioned: new Map(known),
    embedded: new Map(),
  };
  const { faces } = planImport(run as ImportRun, state as ImportState);
  return faces.map(({ decision, stored: before }) =>
    decision === null
      ? of(before!.identityId, before!.reviewStatus)
      : of(decision.identity as number | null, decision.reviewStatus),
  );
}

test('a face gets the identity that another face loses, and a second import changes nothing', () => {
  const archive = [of(ANN), of(BEA, 'confirmed')];
  const first = imported([null, of(ANN)], archive);
  expect(first).toEqual(archive);
  expect(imported(first, archive)).toEqual(first);
});

test('a face whose identity the archive rejects gets the identity of the archive at once', () => {
  const archive = [of(BEA)];
  const first = imported([of(ANN, 'confirmed')], archive, [[ANN]]);
  expect(first).toEqual(archive);
  expect(imported(first, archive, [[ANN]])).toEqual(first);
});

test('an identity that another face keeps is not assigned', () => {
  expect(imported([null, of(ANN)], [of(ANN)])).toEqual([of(null)]);
});
