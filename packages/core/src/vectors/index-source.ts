import type { VectorEntry, VectorPoint, VectorSpace } from './vector-index.ts';

/** The rows that indexes are built from, of all environments. Throws StoreUnavailable. */
export interface IndexSource {
  /** Spaces with at least one vector. */
  spaces(signal?: AbortSignal): Promise<readonly VectorSpace[]>;
  /**
   * Spaces of which an index may hold points: of every environment, every model with embeddings and
   * every kind, whether or not they have a vector now.
   */
  possibleSpaces(signal?: AbortSignal): Promise<readonly VectorSpace[]>;
  /** The points of these entities as they are now; deleted ones are absent. */
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
  /** The points of a space in the pages of {@link IndexSource.scan}, without vectors. */
  list(
    space: VectorSpace,
    page: { readonly after: number; readonly limit: number },
    signal?: AbortSignal,
  ): Promise<readonly VectorEntry[]>;
}
