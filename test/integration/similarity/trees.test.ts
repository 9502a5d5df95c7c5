import { waitUntil } from '../../support/waits/wait-until.ts';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { findClusters } from '@sightline/core/similarity/find-clusters';
import { GroupCuts } from '@sightline/core/similarity/group-cuts';
import type { SimilarityFollower } from '@sightline/core/similarity/similarity-follower';
import { type FollowedStore, followStore } from '../../support/fixtures/followed-store.ts';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let followed: FollowedStore;
let home: SeededEnvironment;

beforeEach(async () => {
  store = await openStoreFixture();
  followed = await followStore(store);
  home = await store.environment();
});

afterEach(async () => {
  await followed[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

async function arrive(
  environment: SeededEnvironment,
  ...angles: readonly number[]
): Promise<readonly number[]> {
  const faces = angles.map((degrees) => ({
    embedding: { modelId: store.faceModelId, vector: direction(degrees) },
  }));
  return (await environment.photo(faces)).ids;
}

/** A hundred pairs. */
const PAIRS = Array.from({ length: 100 }, (_, at) => [at * 3.6, at * 3.6 + 0.1]).flat();
/** At this cosine, only the faces of a pair are one group. */
const PAIR = 0.9999;

interface TreeRow {
  readonly version: number;
  readonly linked: number;
  readonly attached: number;
}

async function newestTree({ scope }: SeededEnvironment): Promise<TreeRow> {
  const [tree] = await store.query<TreeRow>(
    `SELECT version, octet_length(faces) / 8 AS linked, attached
     FROM group_trees WHERE environment_id = $1 ORDER BY version DESC LIMIT 1`,
    [scope.environmentId],
  );
  return tree!;
}

/** Gives turns to the spaces until the newest tree fulfils the condition. */
async function followUntil(
  follower: SimilarityFollower,
  fulfils: (tree: TreeRow) => boolean,
): Promise<void> {
  const { signal } = new AbortController();
  const follow = async () => {
    const tree = await newestTree(home);
    if (!fulfils(tree)) await follower.next(signal);
    return tree;
  };
  await waitUntil('the newest tree fulfils the condition', follow, { isDone: fulfils, pauseMs: 1 });
  await follower.idle();
}

/** The largest groups at the cosine of pairs. */
async function groups(after: Parameters<typeof findClusters>[1]['after'] = null, limit = 3) {
  const deps = { database: store.database, models: store.models, cuts: new GroupCuts() };
  const { scope } = home;
  const query = { scope, threshold: PAIR, after, limit, items: 1000 };
  const { clusters, next } = await findClusters(deps, query);
  const members = clusters.map((one) => one.members.map(({ id }) => id).sort((a, b) => a - b));
  return { clusters, members, next };
}

test('environments that do not fit into memory beside each other are linked', async () => {
  const other = await store.environment();
  await arrive(home, ...PAIRS);
  await arrive(other, ...PAIRS);
  await followed.other({ keptBytes: 0 }).settle();
  expect([await newestTree(home), await newestTree(other)]).toMatchObject([
    { linked: PAIRS.length, attached: 0 },
    { linked: PAIRS.length, attached: 0 },
  ]);
});

test('environments that lost a face while they did not fit into memory are linked again', async () => {
  const other = await store.environment();
  const ids = [(await arrive(home, ...PAIRS))[0], (await arrive(other, ...PAIRS))[0]];
  await followed.settle();
  await store.query('UPDATE detections SET dismissed_at = now() WHERE id = any($1)', [ids]);
  await followed.other({ keptBytes: 0 }).settle();
  expect([await newestTree(home), await newestTree(other)]).toMatchObject([
    { linked: PAIRS.length - 1, attached: 0 },
    { linked: PAIRS.length - 1, attached: 0 },
  ]);
});

test('a process that was paused before it stored a tree stores none beside that of another one', async () => {
  await arrive(home, ...PAIRS);
  const { signal } = new AbortController();
  const paused = followed.other().follower;
  await paused.next(signal);
  // Some faces are attached, and are to be stored in the next turn.
  await paused.idle();
  await followed.settle();
  const settled = await newestTree(home);
  for (let turns = 0; turns < 6; turns++) await paused.next(signal);
  await paused.idle();
  expect(await newestTree(home)).toEqual(settled);
});

test('trees are removed an hour after they were replaced, also at rest', async () => {
  await arrive(home, ...PAIRS);
  await followed.settle();
  await arrive(home, 0.05);
  await followed.settle();
  await store.query(`UPDATE group_trees SET made_at = now() - interval '59 minutes'`);
  await store.similarityQueue.prune();
  const newest = await newestTree(home);
  expect((await store.query('SELECT FROM group_trees')).length).toBeGreaterThan(1);
  await store.query(`UPDATE group_trees SET made_at = now() - interval '61 minutes'`);
  await store.similarityQueue.prune();
  expect(await store.query('SELECT version FROM group_trees')).toEqual([
    { version: newest.version },
  ]);
});

test('new faces are attached to the stored tree, and two percent of them link the groups again', async () => {
  const ids = await arrive(home, ...PAIRS);
  await followed.settle();
  const linked = await newestTree(home);
  // No rest is long enough for linking.
  const { follower } = followed.other({ restMs: 600_000 });
  const [third] = await arrive(home, 0.05);
  await followUntil(follower, (tree) => tree.attached === 1);
  expect((await groups()).members[0]).toEqual([ids[0], ids[1], third]);

  // A follower that knows nothing goes on with what was attached.
  const second = followed.other({ restMs: 600_000 }).follower;
  const [fourth] = await arrive(home, 0.06);
  await followUntil(second, (tree) => tree.attached === 2);
  const { members, next } = await groups(null, 1);
  expect(members).toEqual([[ids[0], ids[1], third, fourth]]);
  expect(await newestTree(home)).toEqual({ ...linked, attached: 2 });

  await arrive(home, 0.04, 0.07, 0.03);
  await followUntil(second, ({ version }) => version !== linked.version);
  // The list continues with the tree and the faces that it began with.
  const rest = await groups(next, 200);
  expect(rest.members).toHaveLength(99);
  expect((await groups()).clusters[0]!.size).toBe(7);
});

test('no tree is lost while faces keep arriving', async () => {
  await arrive(home, ...PAIRS);
  await followed.settle();
  const { follower } = followed.other({ restMs: 600_000 });
  const { signal } = new AbortController();
  const versions = new Set<number>();
  let arrived = 0;
  while (versions.size < 4 && arrived < 1000) {
    await arrive(home, ...Array.from({ length: 5 }, () => arrived++ * 7.3));
    for (let turns = 0; turns < 4; turns++) await follower.next(signal);
    versions.add((await newestTree(home)).version);
  }
  await follower.idle();
  expect(versions.size).toBe(4);
});

test('a face that left long ago stays out of a tree that faces are still attached to', async () => {
  const ids = await arrive(home, ...PAIRS);
  await followed.settle();
  await store.query('UPDATE detections SET dismissed_at = now() WHERE id = $1', [ids[0]]);
  await arrive(home, 0.1);
  const { follower } = followed.other({ restMs: 600_000 });
  await followUntil(follower, (tree) => tree.attached === 1);
  await store.query(`UPDATE departed_strangers SET departed_at = now() - interval '20 minutes'`);
  await store.query(`UPDATE group_trees SET as_of = now() - interval '30 minutes'`);
  await store.similarityQueue.prune();
  expect(await store.query('SELECT detection_id AS id FROM departed_strangers')).toEqual([
    { id: ids[0] },
  ]);
});

test('departures are kept until a tree without the faces is stored, and lists that began before leave them out', async () => {
  const ids = await arrive(home, ...PAIRS);
  await followed.settle();
  const { next } = await groups(null, 1);
  const departures = () => store.query('SELECT detection_id AS id FROM departed_strangers');
  const dismiss = (id: number | undefined) =>
    store.query('UPDATE detections SET dismissed_at = now() WHERE id = $1', [id]);
  await dismiss(ids[10]);
  const { follower } = followed.other({ restMs: 600_000 });
  await follower.next(new AbortController().signal);
  await follower.idle();
  expect(await departures()).toEqual([{ id: ids[10] }]);
  await followed.settle();
  expect(await departures()).toEqual([]);
  const rest = await groups(next, 200);
  expect(rest.members).toHaveLength(98);
  expect(rest.members.flat()).not.toContain(ids[10]);
});

test('the departure of a face whose change is pending stays when a tree is stored', async () => {
  const ids = await arrive(home, ...PAIRS);
  await followed.settle();
  await store.query('UPDATE detections SET dismissed_at = now() WHERE id = $1', [ids[0]]);
  const scope = { environmentId: home.scope.environmentId, modelId: store.faceModelId };
  await store.similarityQueue.absorb(scope, () => false);
  expect(await store.query('SELECT FROM departed_strangers')).toHaveLength(1);
  await followed.settle();
  expect(await store.query('SELECT FROM departed_strangers')).toHaveLength(0);
});
