import { confirmFaceContract } from '@sightline/contracts/review/confirm-face-contract';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import type { ActedFace } from '@sightline/core/curation/carry-out-task';
import { defineRoute } from '../../http/define-route.ts';

export const confirmFaceRoute = defineRoute(confirmFaceContract, {
  async handler({ database, modelStore }, request) {
    const { path, body, scope, signal } = request;
    const target = { identityId: body.fields.identity_id };
    const acted = await actOnFace(
      { database, models: modelStore },
      { scope, id: path.id, action: 'confirm', target },
      { signal, settle: request.settle(present) },
    );
    return present(acted);
  },
});

function present({ detection, row, reference }: ActedFace) {
  return {
    status: 200,
    body: {
      detection_id: detection.id,
      review_status: row.reviewStatus,
      identity_id: row.identityId!,
      enrolled: reference !== null,
    },
  } as const;
}
