import { reassignFaceContract } from '@sightline/contracts/review/reassign-face-contract';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import type { ActedFace } from '@sightline/core/curation/carry-out-task';
import { defineRoute } from '../../http/define-route.ts';
import { oneOfExpected } from '../../http/one-of-expected.ts';
import { labelTarget } from '../detections/label-target.ts';

export const reassignFaceRoute = defineRoute(reassignFaceContract, {
  async handler({ database, modelStore }, request) {
    const { path, body, scope, signal } = request;
    const { identity_id, name } = body.fields;
    const target = labelTarget({ identity_id, label: name });
    if (target === null) throw oneOfExpected(['identity_id', 'name']);
    const acted = await actOnFace(
      { database, models: modelStore },
      { scope, id: path.id, action: 'reassign', target },
      { signal, settle: request.settle(present) },
    );
    return present(acted);
  },
});

function present({ detection, row }: ActedFace) {
  return {
    status: 200,
    body: {
      detection_id: detection.id,
      review_status: row.reviewStatus,
      identity_id: row.identityId!,
    },
  } as const;
}
