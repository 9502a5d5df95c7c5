import type { Detection } from './use-decisions.ts';

/** The person whom a face is most like. */
export interface Match {
  readonly label: string;
  readonly similarity: number;
}

export type Reason = 'noEmbedding' | 'rejected' | 'below' | 'bestBelow' | 'bestTaken';

type Face = Pick<Detection, 'type' | 'identity_id' | 'review_status' | 'embedding_source'>;

/** Why a face has no name; null if it has one, or if it is not known. */
export function reasonOf(
  { type, identity_id: identity, review_status: status, embedding_source: embedding }: Face,
  { match, threshold }: { readonly match: Match | undefined; readonly threshold: number },
): Reason | null {
  if (type !== 'face' || identity !== null) return null;
  if (status === 'rejected') return 'rejected';
  if (embedding === null) return 'noEmbedding';
  if (Number.isNaN(threshold)) return null;
  if (match === undefined) return 'below';
  return match.similarity < threshold ? 'bestBelow' : 'bestTaken';
}
