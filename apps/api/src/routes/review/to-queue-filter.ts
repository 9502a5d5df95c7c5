import type { countReviewQueueContract } from '@sightline/contracts/review/count-review-queue-contract';
import type { QueueFilter } from '@sightline/core/detections/face-lists';
import type { z } from 'zod';

type Query = z.output<(typeof countReviewQueueContract)['request']['query']>;

/** An absent member of the query does not filter. A flag that is false does not filter, either. */
export function toQueueFilter(query: Query): Omit<QueueFilter, 'rule'> {
  const {
    has_suggestion: suggestedOnly,
    identity_id: identityId,
    min_similarity: minSimilarity,
  } = query;
  return {
    ...(suggestedOnly === true && { suggestedOnly }),
    ...(identityId !== undefined && { identityId }),
    ...(minSimilarity !== undefined && { minSimilarity }),
  };
}
