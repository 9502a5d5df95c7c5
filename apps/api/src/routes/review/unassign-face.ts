import { unassignFaceContract } from '@sightline/contracts/review/unassign-face-contract';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { defineRoute } from '../../http/define-route.ts';
import { presentReview } from './present-review.ts';

export const unassignFaceRoute = defineRoute(unassignFaceContract, {
  async handler({ database, modelStore }, request) {
    const { path, scope, signal } = request;
    const acted = await actOnFace(
      { database, models: modelStore },
      { scope, id: path.id, action: 'unassign' },
      { signal, settle: request.settle(presentReview) },
    );
    return presentReview(acted);
  },
});
