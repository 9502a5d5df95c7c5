import { dismissMismatchContract } from '@sightline/contracts/review/dismiss-mismatch-contract';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import type { ActedFace } from '@sightline/core/curation/carry-out-task';
import { defineRoute } from '../../http/define-route.ts';

export const dismissMismatchRoute = defineRoute(dismissMismatchContract, {
  async handler({ database, modelStore }, request) {
    const { path, scope, signal } = request;
    const acted = await actOnFace(
      { database, models: modelStore },
      { scope, id: path.id, action: 'dismissMismatch' },
      { signal, settle: request.settle(present) },
    );
    return present(acted);
  },
});

function present({ detection, row }: ActedFace) {
  return {
    status: 200,
    body: { detection_id: detection.id, mismatch_reviewed: row.mismatchReviewed },
  } as const;
}
