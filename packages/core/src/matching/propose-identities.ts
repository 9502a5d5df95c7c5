import type { RegisteredModel } from '../models/model-store.ts';
import type { GalleryReader } from '../references/gallery-store.ts';
import type { Scope } from '../store/scope.ts';
import type { VectorIndex } from '../vectors/vector-index.ts';
import { VectorsUnavailable } from '../vectors/vectors-unavailable.ts';
import { closestIdentities, type ClosestPoint, type ComparedPoint } from './closest-identities.ts';
import { readGallery, type MatchStrategy, type Proposals } from './read-gallery.ts';
import type { TailCache } from './tail-cache.ts';

/** Scanning a longer tail would take longer than a caller should wait. */
const LONGEST_TAIL = 5000;

export interface ProposalQuery {
  readonly scope: Scope;
  readonly model: RegisteredModel;
  readonly strategy: MatchStrategy;
  /** L2-normalized embeddings of the model. */
  readonly vectors: readonly Float32Array[];
  /** Most identities to find for each vector. */
  readonly limit: number;
}

/** Reads galleries, each within a transaction. The database is one. */
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
 * Finds the identities that faces may be: the nearest in the tail of changes that the index may not
 * have yet, united with the nearest in the index. The tail is read first, so that everything that was
 * committed before the call is found, even if it moves from the tail to the index meanwhile.
 *
 * @throws VectorsUnavailable if the index cannot answer, is too far behind, or lacks enrolled people
 *   because their references of this model are still being computed; StoreUnavailable
 */
export async function proposeIdentities(
  deps: MatchingDeps,
  query: ProposalQuery,
  signal?: AbortSignal,
): Promise<Proposals> {
  const { scope, model, strategy, vectors, limit } = query;
  if (vectors.length === 0) return { model, strategy, identityIds: [], closest: [] };
  const tail = await readTail(deps, query, signal);
  const nearby = vectors.flatMap((vector) => closestIdentities(vector, tail, limit));
  const hits = await search(deps, query, signal);
  const proposals = toProposals(query, [...nearby, ...hits.flat()]);

  // Only if the index returned as many as it may, there may be more.
  const full = hits.filter((own) => own.length === limit).flat();
  if (full.length === 0) return proposals;
  const gallery = await deps.database.withScope(
    scope,
    (stores) => readGallery(stores.gallery, toProposals(query, full)),
    signal,
  );
  const live = new Set(gallery.map(({ identityId }) => identityId));
  if (full.every(({ identityId }) => live.has(identityId))) return proposals;
  const further = await search(deps, { ...query, limit: limit * 2 }, signal);
  return toProposals(query, [...nearby, ...further.flat()]);
}

async function readTail(
  { database, tails }: MatchingDeps,
  { scope, model, strategy }: ProposalQuery,
  signal?: AbortSignal,
): Promise<readonly ComparedPoint[]> {
  return database.withScope(
    scope,
    async ({ gallery }) => {
      const [isBehind, ids] = await Promise.all([
        gallery.isBehind(model.id),
        gallery.tail(model.id, kindOf(strategy), LONGEST_TAIL + 1),
      ]);
      if (isBehind) {
        throw new VectorsUnavailable('The references of the active face model are being made.');
      }
      if (ids.length > LONGEST_TAIL) {
        throw new VectorsUnavailable('The index of vectors is too far behind.');
      }
      if (ids.length === 0) return [];
      if (strategy === 'best_match') {
        return tails.read(ids, (missing) => gallery.references(model.id, missing));
      }
      const means = await gallery.means(model.id, ids);
      return means.map(({ identityId, vector }) => ({ id: identityId, identityId, vector }));
    },
    signal,
  );
}

function search(
  { vectors: index }: MatchingDeps,
  { scope, model, strategy, vectors, limit }: ProposalQuery,
  signal?: AbortSignal,
): Promise<readonly (readonly ClosestPoint[])[]> {
  const space = {
    environmentId: scope.environmentId,
    modelId: model.id,
    kind: kindOf(strategy),
    dimension: vectors[0]!.length,
  };
  return index.searchIdentities(space, { vectors, limit }, signal);
}

function toProposals(
  { model, strategy }: ProposalQuery,
  closest: readonly ClosestPoint[],
): Proposals {
  return {
    model,
    strategy,
    identityIds: [...new Set(closest.map(({ identityId }) => identityId))],
    closest: strategy === 'best_match' ? closest : [],
  };
}

function kindOf(strategy: MatchStrategy): 'references' | 'means' {
  return strategy === 'best_match' ? 'references' : 'means';
}
