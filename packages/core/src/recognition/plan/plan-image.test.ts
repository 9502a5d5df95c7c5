import { beforeEach, describe, expect, test } from '@jest/globals';
import type { AnalyzedFace } from '../../analysis/image-analyzer.ts';
import { analyzedFace, analyzedObject } from '../../analysis/testing/fake-analyzer.ts';
import type { Detection } from '../../detections/detection.ts';
import type { Identity } from '../../identities/identity.ts';
import { FACE_MODEL, OBJECT_MODEL } from '../../models/testing/sample-models.ts';
import { effectiveSettings } from '../../settings/effective-settings.ts';
import type { EntityLock } from '../../store/entity-lock.ts';
import type { FoundObject, ImageRun } from '../run/image-run.ts';
import type { ImageState } from '../state/image-state.ts';
import { planImage } from './plan-image.ts';

const [ANN, BEA] = [10, 20];
const NOW = new Date(0);
const CROP = new Uint8Array();
const FACES = { ...FACE_MODEL, id: 1 };
const boxAt = (index: number) => ({ x: index * 100, y: 0, w: 20, h: 20 });

let run: ImageRun;
let state: ImageState;

beforeEach(() => {
  run = {
    scope: { environmentId: 1 },
    settings: effectiveSettings(new Map()),
    digest: 'ab',
    kind: 'compare',
    posted: {
      sizeBytes: 1,
      image: { format: 'jpeg', width: 1000, height: 100, takenAt: null },
      rendition: { jpeg: CROP, width: 1000, height: 100 },
      original: null,
      externalRef: null,
    },
    faces: [],
    objects: null,
    models: { faces: FACES, objects: null },
    named: null,
    proposals: null,
  };
  state = {
    source: null,
    detections: [],
    references: [],
    rejections: new Map(),
    candidates: [],
    identities: new Map([ANN, BEA].map((id) => [id, identity(id)])),
    named: null,
    objectIdentities: new Map(),
    embedded: new Set(),
    suggestions: new Map(),
  };
});

function identity(id: number, changes: Partial<Identity> = {}): Identity {
  return {
    id,
    type: 'face',
    label: `${id}`,
    externalRef: null,
    coverDetectionId: null,
    createdAt: NOW,
    ...changes,
  };
}

/** Sets the faces of the run, side by side, and the similarities of their candidates by identity. */
function find(...faces: readonly { face?: Partial<AnalyzedFace>; may?: Record<number, number> }[]) {
  const items = faces.map(({ face }, i) => {
    return { ...analyzedFace({ bbox: boxAt(i), ...face }), crop: CROP };
  });
  run = { ...run, faces: items };
  const candidates = faces.map(({ may = {} }) =>
    Object.entries(may).map(([id, similarity]) => ({ identityId: Number(id), similarity })),
  );
  state = { ...state, candidates };
}

function findObjects(...items: readonly Omit<FoundObject, 'crop'>[]) {
  run = {
    ...run,
    faces: null,
    objects: items.map((item) => ({ ...item, crop: CROP })),
    models: { faces: null, objects: { ...OBJECT_MODEL, id: 2 } },
  };
}

function stored(id: number, changes: Partial<Detection> = {}): Detection {
  return {
    id,
    type: 'face',
    sourceImageId: 1,
    bbox: boxAt(id),
    confidence: 0.9,
    quality: 0.9,
    landmarks: null,
    classId: null,
    className: null,
    identityId: null,
    label: null,
    similarity: null,
    reviewStatus: 'pending',
    decidedBy: 'automatic',
    isManual: false,
    embeddingSource: 'aligned',
    age: null,
    gender: null,
    pose: null,
    turned: 0,
    cropKey: '',
    dismissedAt: null,
    mismatchReviewed: false,
    detectedAt: NOW,
    ...changes,
  };
}

const plan = () => planImage(run, state);
const locks = (): readonly EntityLock[] => plan().locks;

describe('the plan of faces', () => {
  test('enrolls faces confirmed above the threshold, and locks the changed identities', () => {
    find({ may: { [ANN]: 0.9, [BEA]: 0.6 }, face: { quality: 0.95 } }, { may: { [BEA]: 0.55 } });
    expect(plan().faces).toMatchObject([
      {
        stored: null,
        decision: { identity: ANN, reviewStatus: 'confirmed', decidedBy: 'automatic' },
        enrollment: { identity: ANN, modelIds: [1] },
        suggestions: [{ identityId: ANN }, { identityId: BEA }],
      },
      {
        decision: { identity: BEA, similarity: 0.55, reviewStatus: 'pending' },
        enrollment: null,
        suggestions: [{ identityId: BEA }],
      },
    ]);
    expect(locks()).toEqual([
      { entity: 'models' },
      { entity: 'source', digest: 'ab' },
      { entity: 'identity', id: ANN, mode: 'exclusive' },
      { entity: 'identity', id: BEA, mode: 'shared' },
    ]);
  });

  test('does not lock identities that are only suggested', () => {
    find({ may: { [ANN]: 0.45, [BEA]: 0.4 } });
    expect(plan().faces).toMatchObject([
      { decision: { identity: null }, suggestions: [{ identityId: ANN }, { identityId: BEA }] },
    ]);
    expect(locks()).toEqual([{ entity: 'models' }, { entity: 'source', digest: 'ab' }]);
  });

  test('locks only stored detections that it changes', () => {
    state = { ...state, detections: [stored(0), stored(1, { decidedBy: 'human' })] };
    state = { ...state, embedded: new Set([0, 1]) };
    find({ may: { [ANN]: 0.7 } }, { may: { [BEA]: 0.7 } });
    expect(plan().faces).toMatchObject([
      { stored: { id: 0 }, decision: { identity: ANN } },
      { stored: { id: 1 }, decision: null, suggestions: null },
    ]);
    expect(locks()).toContainEqual({ entity: 'detection', id: 0 });
    expect(locks()).not.toContainEqual({ entity: 'detection', id: 1 });
  });

  test('changes nothing about a stored face with the same decision', () => {
    state = {
      ...state,
      detections: [stored(0, { identityId: ANN, similarity: 0.7 })],
      suggestions: new Map([[0, [{ identityId: BEA, similarity: 0.6 }]]]),
      embedded: new Set([0]),
    };
    find({ may: { [ANN]: 0.7 } });
    expect(plan().faces).toMatchObject([
      { decision: null, enrollment: null, addsEmbedding: false },
    ]);
    expect(locks()).toEqual([{ entity: 'models' }, { entity: 'source', digest: 'ab' }]);
  });

  test('does not assign an identity of a stored face that the run did not find', () => {
    state = { ...state, detections: [stored(5, { identityId: ANN, reviewStatus: 'confirmed' })] };
    find({ may: { [ANN]: 0.9 } });
    expect(plan().faces).toMatchObject([{ decision: { identity: null } }]);
  });

  test('moves references of all models to the named identity', () => {
    const references = [
      { id: 1, detectionId: 0, identityId: ANN, modelId: 1 },
      { id: 2, detectionId: 0, identityId: ANN, modelId: 9 },
    ];
    const cover = identity(ANN, { coverDetectionId: 0 });
    state = {
      ...state,
      detections: [stored(0, { identityId: ANN, decidedBy: 'human', reviewStatus: 'confirmed' })],
      references,
      identities: new Map([[ANN, cover]]),
      named: identity(BEA),
    };
    find({});
    run = { ...run, named: { type: 'face', label: '20', externalRef: null } };
    const { faces, revoked, uncovered } = plan();
    expect(faces).toMatchObject([
      {
        decision: { identity: BEA, decidedBy: 'human', similarity: null },
        enrollment: { identity: BEA, modelIds: [1, 9] },
      },
    ]);
    expect(revoked).toEqual(references);
    expect(uncovered).toEqual([ANN]);
    expect(locks()).toContainEqual({ entity: 'identity', id: ANN, mode: 'exclusive' });
  });

  test('creates a new named identity under the lock of its label', () => {
    find({});
    run = { ...run, named: { type: 'face', label: 'Cem', externalRef: 'c' } };
    expect(plan().created).toEqual([{ type: 'face', label: 'Cem', externalRef: 'c' }]);
    expect(locks()).toContainEqual({ entity: 'label', type: 'face', label: 'Cem' });
    find();
    expect(plan().created).toEqual([]);
  });

  test('removes stored detections of the type if it replaces them, and keeps their rejections', () => {
    const detections = [
      stored(0, { identityId: ANN }),
      stored(7, { isManual: true }),
      stored(8, { type: 'object', className: 'cat' }),
    ];
    state = { ...state, detections, rejections: new Map([[0, new Set([BEA])]]) };
    run = { ...run, kind: 'replace' };
    find({ may: { [BEA]: 0.9, [ANN]: 0.6 } });
    const { faces, removed } = plan();
    expect(faces).toMatchObject([
      { stored: null, replaces: { id: 0 }, decision: { identity: ANN } },
    ]);
    expect(removed.map(({ id }) => id)).toEqual([0, 7]);
    expect(locks()).toEqual([
      { entity: 'models' },
      { entity: 'source', digest: 'ab' },
      { entity: 'identity', id: ANN, mode: 'exclusive' },
      { entity: 'identity', id: BEA, mode: 'shared' },
      { entity: 'detection', id: 0 },
      { entity: 'detection', id: 7 },
    ]);
  });
});

describe('the plan of a drawn box', () => {
  beforeEach(() => {
    run = { ...run, kind: 'draw' };
  });

  test('adds a face over a stored one, which is not confirmed and is decided by a person', () => {
    state = { ...state, detections: [stored(0)] };
    find({ may: { [ANN]: 0.99 } });
    expect(plan().faces).toMatchObject([
      {
        stored: null,
        decision: { identity: ANN, reviewStatus: 'pending', decidedBy: 'human', similarity: 0.99 },
        enrollment: null,
        suggestions: [{ identityId: ANN }],
      },
    ]);
  });

  test('does not assign an identity that another face of the image has', () => {
    state = { ...state, detections: [stored(0, { identityId: ANN })] };
    find({ may: { [ANN]: 0.99 } });
    expect(plan().faces).toMatchObject([
      { decision: { identity: null, decidedBy: 'human' }, suggestions: [{ identityId: ANN }] },
    ]);
  });

  test('assigns the named identity, and enrolls only a face with an embedding', () => {
    run = { ...run, named: { type: 'face', label: 'Cem', externalRef: null } };
    const named = { identity: { type: 'face', label: 'Cem' }, reviewStatus: 'confirmed' };
    find({});
    expect(plan().faces).toMatchObject([{ decision: named, enrollment: { modelIds: [1] } }]);
    find({ face: { embedding: null } });
    expect(plan().faces).toMatchObject([{ decision: named, enrollment: null }]);
  });

  test('gives an object no class, and an identity only if the request names one', () => {
    const box = { ...analyzedObject(), classId: null, className: null };
    state = { ...state, detections: [stored(0, { type: 'object', bbox: box.bbox })] };
    findObjects(box);
    run = { ...run, kind: 'draw' };
    expect(plan()).toMatchObject({
      objects: [{ stored: null, decision: { identity: null, reviewStatus: 'pending' } }],
      created: [],
    });
    run = { ...run, named: { type: 'object', label: 'Rex', externalRef: null } };
    const rex = { type: 'object', label: 'Rex', externalRef: null };
    expect(plan()).toMatchObject({
      objects: [{ stored: null, decision: { identity: rex, reviewStatus: 'confirmed' } }],
      created: [rex],
    });
    expect(locks()).toContainEqual({ entity: 'label', type: 'object', label: 'Rex' });
  });
});

describe('the plan of objects', () => {
  test('creates the identity of each class once, and uses existing identities', () => {
    state = { ...state, objectIdentities: new Map([['bicycle', identity(30)]]) };
    const cat = analyzedObject({ className: 'cat', bbox: boxAt(1) });
    findObjects(analyzedObject(), cat, { ...cat, bbox: boxAt(2) });
    const { objects, created } = plan();
    expect(objects.map(({ decision }) => decision?.identity)).toMatchObject([
      30,
      { label: 'cat' },
      { label: 'cat' },
    ]);
    expect(created).toEqual([{ type: 'object', label: 'cat', externalRef: null }]);
  });

  test('keeps the identity of a stored object', () => {
    const box = stored(1, { type: 'object', className: 'bicycle', identityId: 77 });
    state = { ...state, detections: [{ ...box, bbox: boxAt(0) }] };
    findObjects(analyzedObject({ bbox: boxAt(0) }));
    const { objects, created } = plan();
    expect(objects).toMatchObject([{ stored: { id: 1 } }]);
    expect(created).toEqual([]);
    expect(locks()).toEqual([{ entity: 'source', digest: 'ab' }]);
  });
});
