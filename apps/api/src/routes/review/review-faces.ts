import { reviewFacesContract } from '@sightline/contracts/review/review-faces-contract';
import {
  type ReviewAction,
  type ReviewedFaces,
  reviewFaces,
} from '@sightline/core/curation/review-faces';
import { presentItemError } from '@sightline/presentation/present-item-error';
import { defineRoute } from '../../http/define-route.ts';
import { requireMember } from '../../http/require-member.ts';

export const reviewFacesRoute = defineRoute(reviewFacesContract, {
  async handler({ database, modelStore }, request) {
    const { body, scope, signal } = request;
    const reviewed = await reviewFaces(
      { database, models: modelStore },
      { scope, ids: body.fields.detection_ids, review: reviewOf(body.fields) },
      { signal, settle: request.settle(present) },
    );
    return present(reviewed);
  },
});

function reviewOf(fields: {
  readonly action: ReviewAction['action'];
  readonly identity_id?: number | undefined;
}): ReviewAction {
  const { action } = fields;
  if (action !== 'confirm' && action !== 'reassign') return { action };
  return { action, identityId: requireMember(fields, 'identity_id', action) };
}

function present({ processed, errors }: ReviewedFaces) {
  return {
    status: 200,
    body: {
      processed,
      failed: errors.length,
      errors: errors.map(({ id, error }) => ({ detection_id: id, error: presentItemError(error) })),
    },
  } as const;
}
