import { getDetectionContract } from '@sightline/contracts/detections/get-detection-contract';
import { NotFound } from '@sightline/core/store/not-found';
import { presentDetection } from '@sightline/presentation/present-detection';
import { defineRoute } from '../../http/define-route.ts';

export const getDetectionRoute = defineRoute(getDetectionContract, {
  async handler({ database }, { path, scope, signal }) {
    const detection = await database.withScope(
      scope,
      ({ detections }) => detections.byId(path.id),
      signal,
    );
    if (detection === null) throw new NotFound('detection', path.id);
    return { status: 200, body: presentDetection(detection) };
  },
});
