import { reviewFacesContract } from '@sightline/contracts/review/review-faces-contract';
import {
  type ReviewAction,
  type ReviewedFaces,
  reviewFaces,
} from '@sightline/core/curation/review-faces';
import { HttpError } from '@sightline/platform/http/http-errors';
import { presentItemError } from '@sightline/presentation/present-item-error';
import { defineRoute } from '../../http/define-route.ts';

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
  const { action, identity_id: identityId } = fields;
  if (action !== 'confirm' && action !== 'reassign') return { action };
  if (identityId !== undefined) return { action, identityId };
  const message = `identity_id is required for ${action}`;
  throw new HttpError('invalid_request', `The body is invalid: ${message}.`, {
    errors: [{ path: 'identity_id', message }],
  });
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
