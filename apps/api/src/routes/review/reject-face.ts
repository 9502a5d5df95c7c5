import { rejectFaceContract } from '@sightline/contracts/review/reject-face-contract';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { defineRoute } from '../../http/define-route.ts';
import { presentReview } from './present-review.ts';

export const rejectFaceRoute = defineRoute(rejectFaceContract, {
  async handler({ database, modelStore }, request) {
    const { path, scope, signal } = request;
    const acted = await actOnFace(
      { database, models: modelStore },
      { scope, id: path.id, action: 'reject' },
      { signal, settle: request.settle(presentReview) },
    );
    return presentReview(acted);
  },
});
