import type { VectorSpace } from '../vectors/vector-index.ts';

/** The faces of one environment, with their vectors of one model. */
export type FollowedSpace = Omit<VectorSpace, 'kind'>;
