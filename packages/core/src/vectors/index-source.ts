import type { VectorEntry, VectorPoint, VectorSpace } from './vector-index.ts';

/** The rows that indexes are made from, over all environments. Throws StoreUnavailable. */
export interface IndexSource {
  /** Spaces with at least one vector. */
  spaces(signal?: AbortSignal): Promise<readonly VectorSpace[]>;
  /**
   * Spaces of which an index may hold points: of every environment, every model with embeddings and
   * every kind, whether or not they have a vector now.
   */
  possibleSpaces(signal?: AbortSignal): Promise<readonly VectorSpace[]>;
  /** What these entities are now; those that are gone are absent. */
  points(
    space: VectorSpace,
    entityIds: readonly number[],
    signal?: AbortSignal,
  ): Promise<readonly VectorPoint[]>;
  /** Points of a space in ascending order of id, from the first id above `after`. */
  scan(
    space: VectorSpace,
    page: { readonly after: number; readonly limit: number },
    signal?: AbortSignal,
  ): Promise<readonly VectorPoint[]>;
  /** What a space holds, in the pages of {@link IndexSource.scan}, without its vectors. */
  list(
    space: VectorSpace,
    page: { readonly after: number; readonly limit: number },
    signal?: AbortSignal,
  ): Promise<readonly VectorEntry[]>;
}
