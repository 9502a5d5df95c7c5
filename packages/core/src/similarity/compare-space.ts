import type { Candidate } from '../identities/candidate.ts';
import type { OpenFaceSource, SpaceState } from '../groups/followed-faces.ts';
import type { MismatchScore } from '../groups/mismatch-score.ts';
import type { NeighborList } from '../groups/neighbor-list.ts';
import { compareCandidates } from '../matching/rank-candidates.ts';
import { readRejections } from '../matching/read-rejections.ts';
import type { IndexSource } from '../vectors/index-source.ts';
import type { VectorKind } from '../vectors/vector-index.ts';
import type { GroupLinker } from './group-linker.ts';
import { GrowingTree } from './growing-tree.ts';
import { GalleryMemory, type GalleryMemoryDeps } from './gallery-memory.ts';
import { linkStrangers } from './link-strangers.ts';
import { loadSpace } from './load-space.ts';
import type { OpenFaceVectors } from './open-face-vectors.ts';
import { PAGE, pages } from './pages.ts';
import { readNewestTree } from './read-newest-tree.ts';
import { scoreFaces } from './score-faces.ts';
import type { DueSpace } from './similarity-queue.ts';
import { isComparable } from '../vectors/is-comparable.ts';
import { SpaceMemory } from './space-memory.ts';
import { STORED_SUGGESTIONS, type SuggestIn, suggestible } from './suggest-identities.ts';
import { searchNeighbors } from './update-neighbors.ts';

/** The number of faces that are compared at once. */
const FACES = 200;
/** The largest difference of two similarities that counts as rounding. */
const ROUNDING = 1e-6;
/** The share of the open faces that may lack a suggestion if the index is not exact. */
const LACKING_SHARE = 0.01;

export interface CompareDeps extends GalleryMemoryDeps {
  readonly source: OpenFaceSource;
  readonly indexSource: Pick<IndexSource, 'list'>;
  readonly openFaces: OpenFaceVectors;
  readonly linker: GroupLinker;
}

interface ComparedSpace extends SuggestIn {
  readonly state: SpaceState;
  readonly isExact: boolean;
}

interface Comparison extends Pick<ComparedSpace, 'space' | 'isExact'> {
  readonly memory: SpaceMemory;
  readonly gallery: GalleryMemory;
  /** The computed lists of the strangers. */
  readonly lists: Map<number, NeighborList>;
  readonly findings: string[];
  /** The findings about suggestions that an index that is not exact may have missed. */
  readonly lacking: string[];
}

/** Compares what is stored for a space with a computation from the rows. Returns one sentence per difference. */
export async function compareSpace(
  deps: CompareDeps,
  { space, state, strategy, isExact }: ComparedSpace,
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const memory = new SpaceMemory(state);
  const loading = { loadingBytes: Infinity, setAside: () => undefined };
  await loadSpace({ ...deps, ...loading }, { space, memory });
  const gallery = await loadGallery(deps, { space, strategy });
  const findings: string[] = [];
  const comparison: Comparison = {
    space,
    isExact,
    memory,
    gallery,
    findings,
    lists: new Map(),
    lacking: [],
  };
  const scope = { environmentId: space.environmentId };
  const readIds = (after: number, limit: number) =>
    deps.database.withScope(scope, ({ followed }) =>
      followed.idsAfter(space.modelId, { after, limit }),
    );
  let open = 0;
  for (let ids = await readIds(0, FACES); ids.length > 0; ids = await readIds(ids.at(-1)!, FACES)) {
    signal?.throwIfAborted();
    open += await compareFaces(deps, comparison, ids);
  }
  await compareTree(deps, comparison, signal);
  const { lacking } = comparison;
  return lacking.length > LACKING_SHARE * open ? [...findings, ...lacking] : findings;
}

/** Loads all vectors that the strategy compares. */
async function loadGallery(
  deps: CompareDeps,
  { space, strategy }: SuggestIn,
): Promise<GalleryMemory> {
  const { environmentId, modelId, dimension } = space;
  const kind: VectorKind = strategy === 'average' ? 'means' : 'references';
  const read = (after: number) =>
    deps.indexSource.list({ environmentId, modelId, dimension, kind }, { after, limit: PAGE });
  const gallery = new GalleryMemory(deps, { space, strategy });
  await gallery.clear();
  for await (const page of pages(read, ({ id }) => id))
    await gallery.load(page.map(({ id }) => id));
  return gallery;
}

/** Returns how many of the faces are open. */
async function compareFaces(
  deps: CompareDeps,
  comparison: Comparison,
  ids: readonly number[],
): Promise<number> {
  const { space, memory, lists, findings } = comparison;
  const rows = await deps.database.withScope(
    { environmentId: space.environmentId },
    async ({ followed, gallery }) => ({
      faces: await followed.faces(space.modelId, ids),
      comparable: await followed.comparable(space.modelId, ids),
      stored: await followed.stored(space.modelId, ids),
      suggestions: await gallery.suggestions(space.modelId, ids),
      rejections: await readRejections(gallery, ids),
    }),
  );
  const faces = rows.faces.filter((face) => isComparable(face, space.dimension));
  const strangers = faces.filter(({ isStranger }) => isStranger);
  const open = faces.filter(({ isOpen }) => isOpen);
  const computed = await searchNeighbors(deps.openFaces, space, strangers);
  const found = await comparison.gallery.similarities(open.map(({ vector }) => vector));
  const similarities = new Map(open.map(({ id }, at) => [id, found[at]!]));
  const suggested = Map.groupBy(rows.suggestions, ({ detectionId }) => detectionId);
  const scores = scoreFaces(ids, rows.comparable, space.similarityCalibration);
  for (const id of ids) {
    const list = computed.get(id);
    if (list !== undefined) lists.set(id, list);
    if (!areSameLists(list, memory.lists.of(id))) findings.push(differs('neighbors', id, space));
    if (!areSameScores(scores.get(id), rows.stored.scores.get(id))) {
      findings.push(differs('scores of mismatch', id, space));
    }
    compareSuggestions(comparison, {
      id,
      similarities: similarities.get(id) ?? new Map<number, number>(),
      rejected: rows.rejections.get(id),
      stored: suggested.get(id) ?? [],
    });
  }
  return open.length;
}

interface SuggestionsToCompare {
  readonly id: number;
  readonly similarities: ReadonlyMap<number, number>;
  readonly rejected: ReadonlySet<number> | undefined;
  readonly stored: readonly Candidate[];
}

function compareSuggestions(
  { space, isExact, findings, lacking }: Comparison,
  { id, similarities, rejected, stored }: SuggestionsToCompare,
): void {
  const all = Array.from(similarities, ([identityId, similarity]) => ({ identityId, similarity }));
  const expected = suggestible(all.sort(compareCandidates), rejected);
  const isRight = stored.every((one) =>
    isNear(one.similarity, similarities.get(one.identityId) ?? Infinity),
  );
  // An identity may lack a place only if all stored ones are as similar.
  const least = stored.length < STORED_SUGGESTIONS ? -1 : stored.at(-1)!.similarity;
  const present = new Set(stored.map(({ identityId }) => identityId));
  const isComplete = expected.every(
    ({ identityId, similarity }) => present.has(identityId) || similarity <= least + ROUNDING,
  );
  if (isRight && isComplete) return;
  const finding = differs('suggestions', id, space);
  (isRight && !isExact ? lacking : findings).push(finding);
}

async function compareTree(
  { database, openFaces, linker }: CompareDeps,
  { space, memory, lists, findings }: Comparison,
  signal?: AbortSignal,
): Promise<void> {
  const { environmentId, modelId } = space;
  const { linked, attached } = await readNewestTree(database, space);
  const vectors = await openFaces.strangers(space);
  if ((linked?.faces.length ?? 0) === 0 && vectors.ids.length === 0) return;
  const { strangers } = memory;
  const known = { of: (id: number) => lists.get(id) };
  const tree = await linkStrangers(linker, { vectors, strangers, lists: known }, signal);
  const isSame =
    linked !== null &&
    areSameTrees(await GrowingTree.of(linked, attached), await GrowingTree.of(tree));
  if (isSame) return;
  findings.push(`Environment ${environmentId} should have other groups for model ${modelId}.`);
}

function differs(what: string, face: number, { environmentId, modelId }: DueSpace): string {
  return `Face ${face} of environment ${environmentId} should have other ${what} for model ${modelId}.`;
}

function areSameLists(one: NeighborList | undefined, other: NeighborList | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return one.fingerprint === other.fingerprint && areSame(one.ids, other.ids);
}

function areSameScores(one: MismatchScore | null = null, other: MismatchScore | null = null) {
  if (one === null || other === null) return one === other;
  return one.identityId === other.identityId && isNear(one.similarity, other.similarity);
}

/** Compares trees by the order of joinings that {@link GrowingTree} gives them. */
function areSameTrees(one: GrowingTree, other: GrowingTree): boolean {
  const [a, b] = [one.toStored(), other.toStored()];
  return (
    areSame(a.faces, b.faces) &&
    areSame(a.parts, b.parts) &&
    a.cosines.every((cosine, at) => isNear(cosine, b.cosines[at]!))
  );
}

function areSame(one: ArrayLike<number>, other: ArrayLike<number>): boolean {
  return one.length === other.length && Array.from(one).every((value, at) => value === other[at]);
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= ROUNDING;
}
