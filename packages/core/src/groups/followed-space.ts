import type { VectorSpace } from '../vectors/vector-index.ts';

/** The faces of one environment, with their vectors of one model. */
export type FollowedSpace = Omit<VectorSpace, 'kind'>;

/** A name of the space, unique among all spaces. */
export function keyOfSpace({
  environmentId,
  modelId,
}: Pick<FollowedSpace, 'environmentId' | 'modelId'>): string {
  return `${environmentId}/${modelId}`;
}
