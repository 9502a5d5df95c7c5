import { labelDetectionContract } from '@sightline/contracts/detections/label-detection-contract';
import { labelDetection } from '@sightline/core/curation/label-detection';
import { defineRoute } from '../../http/define-route.ts';
import { oneOfExpected } from '../../http/one-of-expected.ts';
import { labelTarget } from './label-target.ts';

export const labelDetectionRoute = defineRoute(labelDetectionContract, {
  async handler({ database, modelStore }, { path, body, scope, signal }) {
    const target = labelTarget(body.fields);
    if (target === null) throw oneOfExpected(['label', 'identity_id']);
    const { detection, enrolled } = await labelDetection(
      { database, models: modelStore },
      { scope, id: path.id, target },
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
