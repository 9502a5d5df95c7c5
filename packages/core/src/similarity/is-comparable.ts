import type { FollowedFace } from '../groups/followed-faces.ts';

/** Whether a vector can be compared: it has the length of its space, and a direction. */
export function isComparable({ vector }: Pick<FollowedFace, 'vector'>, dimension: number): boolean {
  if (vector.length !== dimension) return false;
  let squares = 0;
  for (const value of vector) squares += value * value;
  return Number.isFinite(squares) && squares > 0;
}
