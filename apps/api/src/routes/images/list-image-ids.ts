import { listImageIdsContract } from '@sightline/contracts/images/list-image-ids-contract';
import type { SourceFilter } from '@sightline/core/sources/source-store';
import type { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';

type Query = z.output<(typeof listImageIdsContract)['request']['query']>;

export const listImageIdsRoute = defineRoute(listImageIdsContract, {
  async handler({ database }, { query, scope, signal }) {
    const ids = await database.withScope(
      scope,
      ({ sources }) => sources.ids(filterOf(query), query.sort ?? 'newest'),
      signal,
    );
    return { status: 200, body: { ids: [...ids] } };
  },
});

/** Absent members do not filter; neither do flags that are false. */
function filterOf(query: Query): SourceFilter {
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
  };
}
