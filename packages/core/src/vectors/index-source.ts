import type { VectorEntry, VectorKind, VectorPoint, VectorSpace } from './vector-index.ts';

export interface PlacedPoint {
  readonly space: VectorSpace;
  readonly point: VectorPoint;
}

/** A position in the list of all points of a kind, which is sorted by environment, id and model. */
export interface PointPosition {
  readonly environmentId: number;
  readonly id: number;
  readonly modelId: number;
}

export const FIRST_POINT: PointPosition = { environmentId: 0, id: 0, modelId: 0 };

/** Reads the rows from which indexes are built, of all environments. All methods throw StoreUnavailable. */
export interface IndexSource {
  /**
   * All combinations of an environment, a model with embeddings, and a kind. An index may have points in a space even
   * if the database has no rows for it.
   */
  possibleSpaces(signal?: AbortSignal): Promise<readonly VectorSpace[]>;
  /** The current points of these entities. Deleted entities are missing in the result. */
  points(
    space: VectorSpace,
    entityIds: readonly number[],
    signal?: AbortSignal,
  ): Promise<readonly VectorPoint[]>;
  /**
   * A page of the points of a kind, of all environments and models. The page begins after the position `after`. Its
   * cost does not depend on the number of environments.
   */
  scan(
    kind: VectorKind,
    page: { readonly after: PointPosition; readonly limit: number },
    signal?: AbortSignal,
  ): Promise<readonly PlacedPoint[]>;
  /** A page of the points of a space with ids above `after`, sorted by id, without vectors. */
  list(
    space: VectorSpace,
    page: { readonly after: number; readonly limit: number },
    signal?: AbortSignal,
  ): Promise<readonly VectorEntry[]>;
}
