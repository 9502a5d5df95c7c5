import type { VectorPoint, VectorSpace } from './vector-index.ts';

/** A note that the index may not agree with the database about one entity. */
export interface VectorChange {
  readonly id: number;
  readonly space: VectorSpace;
  /** Of the detection, the reference or the identity, by the kind of the space. */
  readonly entityId: number;
}

/** What the index is made from, over all environments. Throws StoreUnavailable. */
export interface IndexSource {
  /** The oldest changes that nobody has brought to the index. */
  changes(limit: number, signal?: AbortSignal): Promise<readonly VectorChange[]>;
  /** Forgets changes that the index has. */
  acknowledge(changes: readonly VectorChange[]): Promise<void>;
  /** Spaces with at least one vector. */
  spaces(signal?: AbortSignal): Promise<readonly VectorSpace[]>;
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
  /** Ids and identities of a space, as {@link IndexSource.scan}, without reading vectors. */
  list(
    space: VectorSpace,
    page: { readonly after: number; readonly limit: number },
    signal?: AbortSignal,
  ): Promise<readonly Omit<VectorPoint, 'vector'>[]>;
  /**
   * Notes that the index may not agree about these entities, which may exist or not: as a change
   * would have done.
   */
  note(space: VectorSpace, entityIds: readonly number[]): Promise<void>;
  /** How many changes wait. */
  backlog(signal?: AbortSignal): Promise<number>;
}
