import type { countImagesContract } from '@sightline/contracts/images/count-images-contract';
import type { SourceFilter } from '@sightline/core/sources/source-store';
import type { z } from 'zod';

type ImageFilter = z.output<(typeof countImagesContract)['request']['query']>;

/** An absent member of the query does not filter. A flag that is false does not filter, either. */
export function toSourceFilter(query: ImageFilter): SourceFilter {
  const { identity_id: identityIds, type, external_ref: externalRef, since, until } = query;
  return {
    ...(identityIds && { identityIds: [...new Set(identityIds)] }),
    ...(type && { type }),
    ...(externalRef !== undefined && { externalRef }),
    ...(since && { since }),
    ...(until && { until }),
    ...(query.no_detections && { noDetections: true }),
    ...(query.no_tagged_faces && { noTaggedFaces: true }),
    ...(query.no_crops && { noCrops: true }),
    ...(query.has_manual_detections && { hasManualDetections: true }),
    ...detailsOf(query),
  };
}

/** The conditions on single detections, and on the time when the photo was taken. */
function detailsOf(query: ImageFilter): SourceFilter {
  const { class_name: className, without_identity_id: withoutIdentityId } = query;
  const { review_status: reviewStatus, taken_since: takenSince, taken_until: takenUntil } = query;
  return {
    ...(className !== undefined && { className }),
    ...(withoutIdentityId !== undefined && { withoutIdentityId }),
    ...(query.identity_twice && { identityTwice: true }),
    ...(reviewStatus && { reviewStatus }),
    ...(takenSince && { takenSince }),
    ...(takenUntil && { takenUntil }),
  };
}
