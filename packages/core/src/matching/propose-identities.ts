import type { FoundPoint, GalleryReader } from '../references/gallery-store.ts';
import type { Scope } from '../store/scope.ts';
import type { VectorIndex } from '../vectors/vector-index.ts';
import { VectorsUnavailable } from '../vectors/vectors-unavailable.ts';
import { isComparable } from '../vectors/is-comparable.ts';
import { closestIdentities, type ComparedPoint } from './closest-identities.ts';
import type { GalleryVector } from './rank-candidates.ts';
import type { ComparingModel, MatchStrategy, Proposals } from './read-gallery.ts';
import type { TailCache } from './tail-cache.ts';

/**
 * The most changes not yet in the index (the tail) that a request compares itself. A client would wait too long for
 * more.
 */
const LONGEST_TAIL = 5000;
/** The factor by which each further search requests more identities. */
const GROWTH = 4;
const MOST_REQUESTED = 5000;

export interface ProposalQuery {
  readonly scope: Scope;
  readonly model: ComparingModel;
  readonly strategy: MatchStrategy;
  /** L2-normalized embeddings of the model. */
  readonly vectors: readonly Float32Array[];
  readonly limit: number;
  /** Whether to search although enrolled people still lack references of the model. */
  readonly evenIfBehind?: boolean;
}

/** The subset of `Database` that matching needs: transactions that read the vectors with which faces are compared. */
export interface GallerySource {
  withScope<T>(
    scope: Scope,
    read: (stores: { readonly gallery: GalleryReader }) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>;
}

export interface MatchingDeps {
  readonly database: GallerySource;
  readonly vectors: VectorIndex;
  readonly tails: TailCache;
}

/**
 * Finds the identities that faces may have: the nearest ones in the index, and the nearest ones in the tail, which are the
 * changes that the index may not have yet. The tail is read first, so that a committed change is also found if it moves
 * from the tail to the index during the call.
 *
 * @throws VectorsUnavailable if the index does not answer, is too far behind, or lacks enrolled people because their
 *   references for this model are still being computed; StoreUnavailable
 */
export async function proposeIdentities(
  deps: MatchingDeps,
  query: ProposalQuery,
  signal?: AbortSignal,
): Promise<Proposals> {
  const { vectors, limit } = query;
  if (vectors.length === 0) return toProposals(query, []);
  const tail = await readTail(deps, query, signal);
  const nearby = vectors.flatMap((vector) => closestIdentities(vector, tail, limit));
  const hits = await searchLive(deps, query, signal);
  return toProposals(query, [...nearby, ...hits.flat()]);
}

/**
 * Finds the nearest identities in the index for each vector: as many as requested, or all that the index has. The index
 * may still contain deleted identities. If they take the place of existing ones, the index is searched again for more.
 *
 * @throws VectorsUnavailable like {@link proposeIdentities}
 */
async function searchLive(
  deps: MatchingDeps,
  query: ProposalQuery,
  signal?: AbortSignal,
): Promise<readonly (readonly FoundPoint[])[]> {
  const { limit } = query;
  for (let requested = limit; ; requested = Math.min(requested * GROWTH, MOST_REQUESTED)) {
    const hits = await search(deps, { ...query, limit: requested }, signal);
    const full = hits.filter((own) => own.length >= requested);
    // Only results with as many hits as requested may have to be searched again. A shorter result contains all
    // identities that the index has.
    if (full.length === 0) return hits;
    const live = await readLive(deps, { ...query, hits: full.flat() }, signal);
    const isLive = ({ identityId }: FoundPoint): boolean => live.has(identityId);
    if (full.every((own) => countPeople(own, live) >= limit)) {
      return hits.map((own) => own.filter((hit) => !full.includes(own) || isLive(hit)));
    }
    if (requested >= MOST_REQUESTED) {
      throw new VectorsUnavailable(
        'The vector index still contains too many deleted identities; try again later.',
      );
    }
  }
}

/**
 * Finds the identities of the hits that still exist. Maps each id to itself, or to the target if the identity is
 * being merged.
 */
async function readLive(
  { database }: MatchingDeps,
  { scope, model, strategy, hits }: ProposalQuery & { readonly hits: readonly FoundPoint[] },
  signal?: AbortSignal,
): Promise<ReadonlyMap<number, number>> {
  return database.withScope(
    scope,
    ({ gallery }) => gallery.live(model.id, kindOf(strategy), hits),
    signal,
  );
}

/** Counts the identities. An identity that is being merged and its target count as one, although the index has both. */
function countPeople(hits: readonly FoundPoint[], live: ReadonlyMap<number, number>): number {
  return new Set(hits.flatMap(({ identityId }) => live.get(identityId) ?? [])).size;
}

async function readTail(
  { database, tails }: MatchingDeps,
  { scope, model, strategy, vectors, evenIfBehind = false }: ProposalQuery,
  signal?: AbortSignal,
): Promise<readonly ComparedPoint[]> {
  return database.withScope(
    scope,
    async ({ gallery }) => {
      const [isBehind, points] = await Promise.all([
        gallery.isBehind(model.id),
        gallery.tail(model.id, kindOf(strategy), LONGEST_TAIL + 1),
      ]);
      if (isBehind && !evenIfBehind) {
        throw new VectorsUnavailable(
          'The references for the active face model are still being computed; try again later.',
        );
      }
      if (points.length > LONGEST_TAIL) {
        throw new VectorsUnavailable(
          'The vector index is too far behind the database; try again later.',
        );
      }
      if (points.length === 0) return [];
      const ids = points.map(({ pointId }) => pointId);
      const usable = <Point extends GalleryVector>(read: readonly Point[]): readonly Point[] =>
        read.filter((point) => isComparable(point, vectors[0]!.length));
      if (strategy === 'best_match') {
        // Each reference is tested once, when it comes into the cache.
        const load = async (missing: readonly number[]) =>
          usable(await gallery.references(model.id, missing));
        const identities = new Map(points.map((point) => [point.pointId, point.identityId]));
        const references = await tails.read(ids, load);
        return references.map((reference) => ({
          ...reference,
          identityId: identities.get(reference.id)!,
        }));
      }
      const means = usable(await gallery.means(model.id, ids));
      return means.map(({ identityId, vector }) => ({ id: identityId, identityId, vector }));
    },
    signal,
  );
}

function search(
  { vectors: index }: MatchingDeps,
  { scope, model, strategy, vectors, limit }: ProposalQuery,
  signal?: AbortSignal,
): Promise<readonly (readonly FoundPoint[])[]> {
  const space = {
    environmentId: scope.environmentId,
    modelId: model.id,
    kind: kindOf(strategy),
    dimension: vectors[0]!.length,
  };
  return index.searchIdentities(space, { vectors, limit }, signal);
}

function toProposals(
  { model, strategy, vectors }: ProposalQuery,
  closest: readonly FoundPoint[],
): Proposals {
  return {
    model,
    strategy,
    dimension: vectors[0]?.length ?? 0,
    identityIds: [...new Set(closest.map(({ identityId }) => identityId))],
    closest: strategy === 'best_match' ? closest : [],
  };
}

function kindOf(strategy: MatchStrategy): 'references' | 'means' {
  return strategy === 'best_match' ? 'references' : 'means';
}
