import type { VectorEntry, VectorKind, VectorPoint, VectorSpace } from './vector-index.ts';

/** A point with the space that it is in. */
export interface PlacedPoint {
  readonly space: VectorSpace;
  readonly point: VectorPoint;
}

/** A position in all points of a kind, which are in ascending order of environment, id and model. */
export interface PointPosition {
  readonly environmentId: number;
  readonly id: number;
  readonly modelId: number;
}

export const FIRST_POINT: PointPosition = { environmentId: 0, id: 0, modelId: 0 };

/** The rows that indexes are built from, of all environments. Throws StoreUnavailable. */
export interface IndexSource {
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
  /**
   * Points of a kind, of all environments and models, from the first one behind `after`. A page costs
   * the same, however many environments it spans.
   */
  scan(
    kind: VectorKind,
    page: { readonly after: PointPosition; readonly limit: number },
    signal?: AbortSignal,
  ): Promise<readonly PlacedPoint[]>;
  /** Points of a space in ascending order of id, from the first id above `after`, without vectors. */
  list(
    space: VectorSpace,
    page: { readonly after: number; readonly limit: number },
    signal?: AbortSignal,
  ): Promise<readonly VectorEntry[]>;
}
