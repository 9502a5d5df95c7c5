import type { FaceFilter as Filter } from '@sightline/contracts/review/review-faces-contract';
import type { FaceFilter } from '@sightline/core/curation/review-where';
import { HttpError } from '@sightline/platform/http/http-errors';
import type { z } from 'zod';

interface Fields {
  readonly where: z.output<typeof Filter>;
  readonly as_of?: Date | undefined;
  readonly except?: readonly number[] | undefined;
}

/**
 * An absent member of the filter does not filter.
 *
 * @throws HttpError invalid_request without `as_of`
 */
export function toFaceFilter({ where, as_of: queuedUntil, except = [] }: Fields): FaceFilter {
  if (queuedUntil === undefined) {
    const message = 'as_of is required with where';
    throw new HttpError('invalid_request', `The body is invalid: ${message}.`, {
      errors: [{ path: 'as_of', message }],
    });
  }
  const {
    suggested_identity_id: identityId,
    min_similarity: minSimilarity,
    max_similarity: maxSimilarity,
    detected_since: detectedSince,
    detected_until: detectedUntil,
  } = where;
  return {
    queuedUntil,
    except,
    ...(identityId !== undefined && { identityId }),
    ...(minSimilarity !== undefined && { minSimilarity }),
    ...(maxSimilarity !== undefined && { maxSimilarity }),
    ...(detectedSince !== undefined && { detectedSince }),
    ...(detectedUntil !== undefined && { detectedUntil }),
  };
}
