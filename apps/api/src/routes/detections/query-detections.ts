import { queryDetectionsContract } from '@sightline/contracts/detections/query-detections-contract';
import { presentDetection } from '@sightline/presentation/present-detection';
import { defineRoute } from '../../http/define-route.ts';

export const queryDetectionsRoute = defineRoute(queryDetectionsContract, {
  async handler({ database }, { body, scope, signal }) {
    const { detection_ids: ids } = body.fields;
    const found = await database.withScope(
      scope,
      ({ detections }) => detections.byIds(ids),
      signal,
    );
    const byId = new Map(found.map((detection) => [detection.id, detection]));
    const items = ids.flatMap((id) => byId.get(id) ?? []).map(presentDetection);
    return { status: 200, body: { items } };
  },
});
