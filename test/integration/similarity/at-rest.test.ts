import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { deleteDetections } from '@sightline/core/curation/delete-detections';
import { deleteIdentity } from '@sightline/core/curation/delete-identity';
import { dismissFaces } from '@sightline/core/curation/dismiss-faces';
import { mergeIdentity } from '@sightline/core/curation/merge-identity';
import type { MatchStrategy } from '@sightline/core/matching/read-gallery';
import { GroupCuts } from '@sightline/core/similarity/group-cuts';
import { findClusters } from '@sightline/core/similarity/find-clusters';
import fc from 'fast-check';
import { type FollowedStore, followStore } from '../../support/fixtures/followed-store.ts';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';
import { checkEnvironment } from '../../support/similarity/check-environment.ts';
import {
  nearly,
  plainSimilarity,
  storedSimilarity,
} from '../../support/similarity/plain-similarity.ts';

let store: StoreFixture;
let followed: FollowedStore;

beforeAll(async () => {
  store = await openStoreFixture();
  followed = await followStore(store);
});

afterAll(async () => {
  await followed[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

const LABELS = ['Ada', 'Bo', 'Cy', 'Di', 'Eve', 'Flo', 'Gus', 'Hal'] as const;
const label = fc.constantFrom(...LABELS);
const nat = fc.nat({ max: 999 });

/** Actions of people and requests. `at` chooses one of the present faces or identities. */
const action = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('arrive' as const),
      degrees: fc.array(fc.integer({ min: 0, max: 359 }), { minLength: 1, maxLength: 6 }),
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('relabel' as const), at: nat, label }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        'unassign' as const,
        'reject' as const,
        'restore' as const,
        'enroll' as const,
        'revoke' as const,
      ),
      at: nat,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom('dismiss' as const, 'dismissMismatch' as const, 'delete' as const),
      at: nat,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('merge' as const), at: nat, into: nat }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('deleteIdentity' as const), at: nat }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('strategy' as const),
      value: fc.constantFrom('best_match' as const, 'average' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rest' as const) }) },
);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

async function facesOf({ scope }: SeededEnvironment): Promise<readonly number[]> {
  const rows = await store.query<{ id: number }>(
    'SELECT id FROM detections WHERE environment_id = $1 ORDER BY id',
    [scope.environmentId],
  );
  return rows.map(({ id }) => id);
}

async function identitiesOf({ scope }: SeededEnvironment): Promise<readonly number[]> {
  const rows = await store.query<{ id: number }>(
    'SELECT id FROM identities WHERE environment_id = $1 ORDER BY id',
    [scope.environmentId],
  );
  return rows.map(({ id }) => id);
}

type Of<Name extends Action['do']> = Extract<Action, { readonly do: Name }>;

async function perform(home: SeededEnvironment, one: Action): Promise<void> {
  if (one.do === 'arrive') await arrive(home, one.degrees);
  else if (one.do === 'rest') await followed.settle();
  else if (one.do === 'strategy') {
    await store.database.withEntities({ ...home.scope, locks: [] }, ({ settings }) =>
      settings.put('face.match_strategy', one.value),
    );
  } else if (one.do === 'merge' || one.do === 'deleteIdentity') await changeIdentity(home, one);
  else await changeFace(home, one);
}

async function arrive(home: SeededEnvironment, angles: readonly number[]): Promise<void> {
  await home.photo(
    angles.map((degrees) => ({
      embedding: { modelId: store.faceModelId, vector: direction(degrees) },
    })),
  );
}

async function changeIdentity(
  home: SeededEnvironment,
  one: Of<'merge' | 'deleteIdentity'>,
): Promise<void> {
  const { scope } = home;
  const identities = await identitiesOf(home);
  const id = identities[one.at % identities.length];
  if (id === undefined) return;
  if (one.do === 'deleteIdentity') {
    await deleteIdentity(store, { scope, id });
    return;
  }
  const into = identities[one.into % identities.length]!;
  if (into !== id) await mergeIdentity(store, { scope, id, into });
}

async function changeFace(
  home: SeededEnvironment,
  one: Exclude<Action, Of<'arrive' | 'rest' | 'strategy' | 'merge' | 'deleteIdentity'>>,
): Promise<void> {
  const { scope } = home;
  const faces = await facesOf(home);
  const id = faces[one.at % faces.length];
  if (id === undefined) return;
  if (one.do === 'dismiss' || one.do === 'dismissMismatch') {
    await dismissFaces(store, { scope, ids: [id], action: one.do });
  } else if (one.do === 'delete') {
    await deleteDetections(store, { scope, ids: [id] });
  } else {
    const target = one.do === 'relabel' ? { target: { label: one.label } } : {};
    // A person may also try what is not possible, as to restore a face that was not rejected.
    await actOnFace(store, { scope, id, action: one.do, ...target }).catch(refused);
  }
}

function refused(error: unknown): void {
  const codes = ['not_rejected', 'not_assigned', 'no_embedding', 'not_found'];
  if (!codes.includes((error as { readonly code: string }).code)) throw error;
}

/** Groups never have a face that was named, dismissed or deleted, whether or not the follower has come to rest. */
async function checkGroups({ scope }: SeededEnvironment): Promise<void> {
  const list = await findClusters(
    { database: store.database, models: store.models, cuts: new GroupCuts() },
    { scope, threshold: 0.5, after: null, limit: 200, items: 1000 },
  );
  const rows = await store.query<{ id: number }>(
    `SELECT id FROM detections
     WHERE environment_id = $1 AND identity_id IS NULL AND dismissed_at IS NULL`,
    [scope.environmentId],
  );
  const strangers = new Set(rows.map(({ id }) => id));
  for (const { size, members } of list.clusters) {
    expect(size).toBeGreaterThan(1);
    expect(members).toHaveLength(size);
    for (const { id } of members) expect(strangers).toContain(id);
  }
  const grouped = list.clusters.reduce((sum, { size }) => sum + size, 0);
  expect(list.totalUnclustered).toBe(strangers.size - grouped);
}

test('at rest, what is stored equals a plain computation from the rows', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 359 }), { minLength: 36, maxLength: 50 }),
      fc.array(action, { minLength: 5, maxLength: 25, size: 'max' }),
      async (strangers, actions) => {
        const home = await store.environment();
        await perform(home, { do: 'arrive', degrees: strangers });
        for (const one of actions) {
          await perform(home, one);
          await checkGroups(home);
        }
        await followed.settle();
        const subject = { ...home.scope, modelId: store.faceModelId };
        const last = actions.findLast((one) => one.do === 'strategy');
        const strategy: MatchStrategy = last?.do === 'strategy' ? last.value : 'best_match';
        const expected = await plainSimilarity(store, subject, strategy);
        expect(await storedSimilarity(store, subject)).toEqual(nearly(expected));
        expect(await checkEnvironment(store, home.scope.environmentId)).toEqual({
          findings: [],
          skipped: [],
        });
      },
    ),
    { numRuns: Number(process.env.SIGHTLINE_SIMILARITY_RUNS ?? 6) },
  );
});
