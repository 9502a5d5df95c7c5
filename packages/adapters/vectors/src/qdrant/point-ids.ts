import type { VectorSpace } from '@sightline/core/vectors/vector-index';

const DIGITS = 16;

/**
 * The id of a point: a UUID whose first half is the environment and whose second half is the entity. Points of an
 * environment therefore have the order of their entities, and writing a point again replaces it.
 *
 * @throws RangeError for an id that is not an integer from 0 to 2^53 - 1
 */
export function pointId({ environmentId }: Pick<VectorSpace, 'environmentId'>, id: number): string {
  const hex = half(environmentId) + half(id);
  const groups = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return `${groups.join('-')}-${hex.slice(20)}`;
}

export function entityId(pointId: string | number): number {
  return Number.parseInt(String(pointId).replaceAll('-', '').slice(DIGITS), 16);
}

function half(id: number): string {
  if (Number.isSafeInteger(id) && id >= 0) return id.toString(16).padStart(DIGITS, '0');
  throw new RangeError(`${id} is not a valid id.`);
}
