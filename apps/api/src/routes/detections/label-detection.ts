import { labelDetectionContract } from '@sightline/contracts/detections/label-detection-contract';
import { labelDetection, type LabelTarget } from '@sightline/core/curation/label-detection';
import { HttpError } from '@sightline/platform/http/http-errors';
import { defineRoute } from '../../http/define-route.ts';

export const labelDetectionRoute = defineRoute(labelDetectionContract, {
  async handler({ database, modelStore }, { path, body, scope, signal }) {
    const { detection, enrolled } = await labelDetection(
      { database, models: modelStore },
      { scope, id: path.id, target: targetOf(body.fields) },
      { signal },
    );
    return {
      status: 200,
      body: {
        detection_id: detection.id,
        identity_id: detection.identityId!,
        label: detection.label!,
        review_status: detection.reviewStatus,
        enrolled,
      },
    };
  },
});

function targetOf(fields: {
  readonly label?: string | undefined;
  readonly identity_id?: number | undefined;
}): LabelTarget {
  const { label, identity_id: identityId } = fields;
  if (label !== undefined && identityId === undefined) return { label };
  if (identityId !== undefined && label === undefined) return { identityId };
  const message = 'exactly one of label and identity_id is expected';
  throw new HttpError('invalid_request', `The body is invalid: ${message}.`, {
    errors: [{ path: 'label', message }],
  });
}
