import type {
  IdentityHit,
  IndexedEntry,
  PointHit,
  VectorSpace,
} from '@sightline/core/vectors/vector-index';
import type { LeastCosine, PackedHits, PackedPoints, PackedVectors } from './space-points.ts';

/** The requests to the worker thread, which processes one request at a time. */
export type VectorRequest =
  | { readonly do: 'upsert'; readonly space: VectorSpace; readonly points: PackedPoints }
  | { readonly do: 'remove'; readonly space: VectorSpace; readonly ids: Float64Array }
  | ({ readonly do: 'searchIdentities' | 'searchPoints' } & PackedQuery)
  | {
      readonly do: 'list';
      readonly space: VectorSpace;
      readonly after: number;
      readonly limit: number;
    }
  | { readonly do: 'dropEnvironment'; readonly environmentId: number }
  | ({ readonly do: 'nearestUnnamed' } & PackedQuery)
  | ({ readonly do: 'above' } & LeastCosine & Omit<PackedQuery, 'limit'>)
  | { readonly do: 'unnamed'; readonly space: VectorSpace }
  | { readonly do: 'vectors'; readonly space: VectorSpace; readonly ids: Float64Array }
  | { readonly do: 'dropSpace'; readonly space: VectorSpace };

export interface PackedQuery {
  readonly space: VectorSpace;
  /** The query vectors, one after another. */
  readonly vectors: Float32Array<ArrayBuffer>;
  readonly limit: number;
}

export interface VectorResults {
  readonly upsert: null;
  readonly remove: null;
  readonly searchIdentities: readonly (readonly IdentityHit[])[];
  readonly searchPoints: readonly (readonly PointHit[])[];
  readonly list: readonly IndexedEntry[];
  readonly dropEnvironment: null;
  readonly nearestUnnamed: readonly PackedHits[];
  readonly above: readonly PackedHits[];
  readonly unnamed: PackedVectors;
  readonly vectors: readonly Float32Array[];
  readonly dropSpace: null;
}

/** The messages from the worker thread. The first one is `ready`; each later one answers a request. */
export type VectorReply =
  | { readonly kind: 'ready' }
  | { readonly kind: 'result'; readonly result: VectorResults[keyof VectorResults] }
  | { readonly kind: 'failure'; readonly error: Error };
