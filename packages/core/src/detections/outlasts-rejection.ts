import type { Detection } from './detection.ts';

/**
 * Whether the assignment of a face stays if a merge makes the face one that was rejected from its identity. The rejection
 * is then forgotten; otherwise the face loses the identity.
 */
export function outlastsRejection({
  decidedBy,
  reviewStatus,
}: Pick<Detection, 'decidedBy' | 'reviewStatus'>): boolean {
  return decidedBy === 'human' || reviewStatus === 'confirmed';
}
