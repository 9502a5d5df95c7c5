import { enrollDetectionContract } from '@sightline/contracts/references/enroll-detection-contract';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import type { ActedFace } from '@sightline/core/curation/carry-out-task';
import { defineRoute } from '../../http/define-route.ts';

export const enrollDetectionRoute = defineRoute(enrollDetectionContract, {
  async handler({ database, modelStore }, request) {
    const { path, scope, signal } = request;
    const acted = await actOnFace(
      { database, models: modelStore },
      { scope, id: path.id, action: 'enroll' },
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
      identity_id: row.identityId!,
      embedding_id: reference!.id,
      enrolled: true,
    },
  } as const;
}
