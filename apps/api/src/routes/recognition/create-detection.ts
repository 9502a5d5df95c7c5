import { createDetectionContract } from '@sightline/contracts/recognition/create-detection-contract';
import type { Detection } from '@sightline/core/detections/detection';
import { createDetection } from '@sightline/core/recognition/create-detection';
import { cropUrl } from '@sightline/presentation/media-url';
import { defineRoute } from '../../http/define-route.ts';

export const createDetectionRoute = defineRoute(createDetectionContract, {
  analyzesAtOnce: () => true,
  async handler(context, request) {
    const { path, body, scope, signal } = request;
    const { type, bbox, label } = body.fields;
    const detection = await createDetection(
      context,
      { scope, sourceImageId: path.id, type, bbox, label },
      { signal, settle: request.settle(answerWith) },
    );
    return answerWith(detection);
  },
});

function answerWith({ id, identityId, label, cropKey }: Detection) {
  return {
    status: 200,
    body: {
      detection_id: id,
      identity_id: identityId,
      label,
      crop_url: cropUrl(id, cropKey),
      is_manual: true,
    },
  } as const;
}
