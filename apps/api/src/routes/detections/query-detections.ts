import { queryDetectionsContract } from '@sightline/contracts/detections/query-detections-contract';
import { presentDetection } from '@sightline/presentation/present-detection';
import { defineRoute } from '../../http/define-route.ts';
import { inOrder } from '../../http/in-order.ts';

export const queryDetectionsRoute = defineRoute(queryDetectionsContract, {
  async handler({ database }, { body, scope, signal }) {
    const { detection_ids: ids } = body.fields;
    const found = await database.withScope(
      scope,
      ({ detections }) => detections.byIds(ids),
      signal,
    );
    return { status: 200, body: { items: inOrder(ids, found).map(presentDetection) } };
  },
});
