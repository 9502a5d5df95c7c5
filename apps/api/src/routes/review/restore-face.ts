import { restoreFaceContract } from '@sightline/contracts/review/restore-face-contract';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { defineRoute } from '../../http/define-route.ts';
import { presentReview } from './present-review.ts';

export const restoreFaceRoute = defineRoute(restoreFaceContract, {
  async handler({ database, modelStore }, request) {
    const { path, scope, signal } = request;
    const acted = await actOnFace(
      { database, models: modelStore },
      { scope, id: path.id, action: 'restore' },
      { signal, settle: request.settle(presentReview) },
    );
    return presentReview(acted);
  },
});
