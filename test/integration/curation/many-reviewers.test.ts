import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { deleteDetections } from '@sightline/core/curation/delete-detections';
import { deleteIdentity } from '@sightline/core/curation/delete-identity';
import { dismissFaces } from '@sightline/core/curation/dismiss-faces';
import { labelDetections } from '@sightline/core/curation/label-detections';
import { mergeIdentity } from '@sightline/core/curation/merge-identity';
import { renameIdentity } from '@sightline/core/curation/rename-identity';
import { type ReviewAction, reviewFaces } from '@sightline/core/curation/review-faces';
import { setIdentityCover } from '@sightline/core/curation/set-identity-cover';
import { DomainError } from '@sightline/core/domain-error';
import type { Merge } from '@sightline/core/identities/merge-store';
import fc from 'fast-check';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';
import { IS_SOAK } from '../../support/gates/soak.ts';

const ROUNDS = IS_SOAK ? 200 : 3;
const STEPS = IS_SOAK ? 40 : 15;
const REVIEWERS = 8;
const LABELS = ['Ann', 'Bea', 'Cleo'];
/** The number of faces in each photo. */
const FACES = [4, 3, 2];

/** The error codes that a request may get, depending on concurrent requests. */
const REFUSALS = [
  'not_found',
  'not_rejected',
  'not_assigned',
  'not_of_identity',
  'identity_exists',
];

let store: StoreFixture;

beforeAll(async () => {
  store = await openStoreFixture();
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

/** The faces and the label on which a reviewer acts. */
interface Subject {
  readonly home: SeededEnvironment;
  /** One to four faces. */
  readonly ids: readonly number[];
  readonly label: string;
}

/** The actions of reviewers, and their weights. */
const STEPS_BY_NAME: Readonly<
  Record<string, readonly [weight: number, (subject: Subject) => Promise<unknown>]>
> = {
  confirm: [3, async (on) => act(on, 'confirm', { identityId: await identityOf(on) })],
  relabel: [4, (on) => act(on, 'relabel', { label: on.label })],
  unassign: [2, (on) => act(on, 'unassign')],
  reject: [3, (on) => act(on, 'reject')],
  restore: [3, (on) => act(on, 'restore')],
  enroll: [2, (on) => act(on, 'enroll')],
  revoke: [2, (on) => act(on, 'revoke')],
  'confirm many': [
    2,
    async (on) => review(on, { action: 'confirm', identityId: await identityOf(on) }),
  ],
  'reject many': [2, (on) => review(on, { action: 'reject' })],
  'restore many': [2, (on) => review(on, { action: 'restore' })],
  'unassign many': [1, (on) => review(on, { action: 'unassign' })],
  'label many': [
    2,
    ({ home: { scope }, ids, label }) =>
      labelDetections(store, { scope, items: ids.map((id) => ({ id, target: { label } })) }),
  ],
  dismiss: [
    1,
    ({ home: { scope }, ids }) => dismissFaces(store, { scope, ids, action: 'dismiss' }),
  ],
  'delete a face': [
    1,
    ({ home: { scope }, ids }) => deleteDetections(store, { scope, ids: ids.slice(0, 1) }),
  ],
  'delete an identity': [
    1,
    async (on) => deleteIdentity(store, { scope: on.home.scope, id: await identityOf(on) }),
  ],
  merge: [
    3,
    async (on) => {
      const [id, into] = [await identityOf(on), await identityOf(next(on))];
      if (id !== into) await mergeIdentity(store, { scope: on.home.scope, id, into });
    },
  ],
  rename: [
    1,
    async (on) => {
      const { label } = next(on);
      await renameIdentity(store, { scope: on.home.scope, id: await identityOf(on), label });
    },
  ],
  cover: [
    2,
    async (on) => {
      const [detectionId] = on.ids;
      const face = await on.home.detection(detectionId!);
      const id = face?.identityId ?? 0;
      await setIdentityCover(store, { scope: on.home.scope, id, detectionId: detectionId! });
    },
  ],
};

function next(on: Subject): Subject {
  return { ...on, label: LABELS[(LABELS.indexOf(on.label) + 1) % LABELS.length]! };
}

type Action = Parameters<typeof actOnFace>[1]['action'];
type Target = Parameters<typeof actOnFace>[1]['target'];

function act({ home: { scope }, ids }: Subject, action: Action, target?: Target) {
  const request = { scope, id: ids[0]!, action };
  return actOnFace(store, target === undefined ? request : { ...request, target });
}

function review({ home: { scope }, ids }: Subject, asked: ReviewAction) {
  return reviewFaces(store, { scope, ids, review: asked });
}

/** Returns the id of the identity with the label; 0 if no identity has the label now. */
async function identityOf({ home: { scope }, label }: Subject): Promise<number> {
  const [identity] = await store.database.withScope(scope, ({ identities }) =>
    identities.byLabels('face', [label]),
  );
  return identity?.id ?? 0;
}

const faceCount = FACES.reduce((sum, count) => sum + count);
const step = fc.record({
  name: fc.oneof(
    ...Object.entries(STEPS_BY_NAME).map(([name, [weight]]) => ({
      weight,
      arbitrary: fc.constant(name),
    })),
  ),
  faces: fc.uniqueArray(fc.nat(faceCount - 1), { minLength: 1, maxLength: 4 }),
  label: fc.constantFrom(...LABELS),
});
const script = fc.array(step, { minLength: STEPS, maxLength: STEPS });
const scripts = fc.array(script, { minLength: REVIEWERS, maxLength: REVIEWERS });

async function seed(home: SeededEnvironment): Promise<readonly number[]> {
  const ids: number[] = [];
  for (const count of FACES) {
    const embedding = { modelId: store.faceModelId, vector: direction(10) };
    const photo = await home.photo(Array.from({ length: count }, () => ({ embedding })));
    ids.push(...photo.ids);
  }
  for (const label of LABELS) await home.identity(label);
  return ids;
}

/** The state of a face according to the events. */
interface FaceState {
  identityId: number | null;
  /** The ids of the face's references, with the ids of their identities. */
  readonly references: Map<number, number>;
  exists: boolean;
}

/**
 * Replays the events in order. Each event must follow from the state after the previous one, as if
 * a single reviewer had caused all of them.
 */
async function replay(home: SeededEnvironment, ids: readonly number[]) {
  const faces = new Map<number, FaceState>(
    ids.map((id) => [id, { identityId: null, references: new Map(), exists: true }]),
  );
  /** The labels and covers of identities, by id. */
  const identities = new Map<number, Named>();
  for (const { event, data } of await home.events()) {
    if (event === 'identity.created') {
      expect([...identities.values()].map(({ label }) => label)).not.toContain(data.label);
      identities.set(data.identity_id, { label: data.label, coverDetectionId: null });
    } else if (event === 'identity.deleted') {
      expect(identities.delete(data.identity_id)).toBe(true);
      const left = [...faces.values()].filter((face) => face.identityId === data.identity_id);
      expect(left).toEqual([]);
    } else if (event === 'identity.merged') {
      replayMerge(faces, identities, { from: data.identity_id, into: data.merged_into });
    } else if (event === 'detection.labeled') {
      const face = faces.get(data.detection_id)!;
      expect(face.exists).toBe(true);
      expect(data.identity_id).not.toBe(face.identityId);
      if (data.identity_id !== null) expect([...identities.keys()]).toContain(data.identity_id);
      face.identityId = data.identity_id;
    } else if (event === 'detection.deleted') {
      for (const id of data.detection_ids) {
        expect(faces.get(id)!.exists).toBe(true);
        Object.assign(faces.get(id)!, { exists: false, identityId: null });
      }
    } else if (event === 'identity.updated') {
      replayReferences(faces, data);
      replayNamed(identities, data);
    }
  }
  return { faces, identities };
}

/** The state of an identity according to the events. */
interface Named {
  label: string;
  coverDetectionId: number | null;
}

function replayMerge(
  faces: ReadonlyMap<number, FaceState>,
  identities: Map<number, Named>,
  { from, into }: Merge,
): void {
  const [source, target] = [identities.get(from)!, identities.get(into)!];
  expect([source, target]).not.toContain(undefined);
  identities.delete(from);
  target.coverDetectionId ??= source.coverDetectionId;
  for (const face of faces.values()) {
    if (face.identityId === from) face.identityId = into;
    for (const [id, identityId] of face.references) {
      if (identityId === from) face.references.set(id, into);
    }
  }
}

function replayNamed(identities: ReadonlyMap<number, Named>, data: Updated): void {
  const identity = identities.get(data.identity_id)!;
  if (data.action === 'renamed') {
    expect(identity.label).toBe(data.previous_label);
    identity.label = data.label!;
  } else if (data.action === 'thumbnail_updated') {
    expect(identity.coverDetectionId).not.toBe(data.cover_detection_id);
    identity.coverDetectionId = data.cover_detection_id!;
  }
}

/** The data of an event about an identity; the action determines the members. */
interface Updated {
  readonly action: string;
  readonly identity_id: number;
  readonly detection_id?: number;
  readonly embedding_id?: number;
  readonly label?: string;
  readonly previous_label?: string;
  readonly cover_detection_id?: number | null;
}

function replayReferences(faces: ReadonlyMap<number, FaceState>, data: Updated): void {
  const { references, identityId } = faces.get(data.detection_id!) ?? {};
  if (data.action === 'embedding_added') {
    expect([identityId, references!.size]).toEqual([data.identity_id, 0]);
    references!.set(data.embedding_id!, data.identity_id);
  } else if (data.action === 'embedding_removed') {
    expect(references!.get(data.embedding_id!)).toBe(data.identity_id);
    references!.delete(data.embedding_id!);
  }
}

test('whatever reviewers do at the same time, one of them comes first', async () => {
  const property = fc.asyncProperty(scripts, async (all) => {
    const home = await store.environment();
    const faces = await seed(home);
    await Promise.all(
      all.map(async (own) => {
        for (const { name, faces: chosen, label } of own) {
          const [, run] = STEPS_BY_NAME[name]!;
          const ids = chosen.map((index) => faces[index]!);
          await run({ home, ids, label }).catch(requireRefusal);
        }
      }),
    );
    const replayed = await replay(home, faces);
    for (const [id, face] of replayed.faces) {
      expect([id, face]).toEqual([id, await asStored(home, id, face)]);
    }
    expect(replayed.identities).toEqual(await identitiesIn(home));
    expect(await store.maintenance.contradictions()).toEqual([]);
  });
  await fc.assert(property, { numRuns: ROUNDS, endOnFailure: true, seed: 20_260_101 });
});

function requireRefusal(error: unknown): void {
  if (!(error instanceof DomainError) || !REFUSALS.includes(error.code)) throw error;
}

async function identitiesIn({ scope }: SeededEnvironment): Promise<ReadonlyMap<number, Named>> {
  const { items } = await store.database.withScope(scope, ({ identities }) =>
    identities.list({}, { after: null, limit: null }),
  );
  return new Map(items.map(({ id, label, coverDetectionId }) => [id, { label, coverDetectionId }]));
}

/**
 * Returns the stored state of a face. No event announces the references that are deleted with an
 * identity.
 * @param replayed the state according to the events
 */
async function asStored(
  home: SeededEnvironment,
  id: number,
  replayed: FaceState,
): Promise<FaceState> {
  const detection = await home.detection(id);
  if (detection === null) {
    return { exists: false, identityId: null, references: replayed.references };
  }
  const links = await store.database.withScope(home.scope, ({ references }) =>
    references.ofDetections([id]),
  );
  const references = new Map(links.map((link) => [link.id, link.identityId]));
  return { exists: true, identityId: detection.identityId, references };
}
