import { reviewFacesContract } from '@sightline/contracts/review/review-faces-contract';
import type { Caller } from '@sightline/core/access/caller';
import {
  type ReviewAction,
  type ReviewedFaces,
  reviewFaces,
} from '@sightline/core/curation/review-faces';
import { startBulkReview } from '@sightline/core/curation/bulk/start-bulk-review';
import { countWhere, reviewWhere } from '@sightline/core/curation/review-where';
import type { z } from 'zod';
import { answerWithCount } from '../../http/answer-with-count.ts';
import { answerWithBatch } from '../../http/answer-with-job.ts';
import { defineRoute } from '../../http/define-route.ts';
import { oneOfExpected } from '../../http/one-of-expected.ts';
import { invalidMember, requireMember } from '../../http/require-member.ts';
import { KeyMayNotFilter } from './key-may-not-filter.ts';
import { presentReviewedFaces } from './present-reviewed-faces.ts';
import { toFaceFilter } from './to-face-filter.ts';

type Fields = z.output<(typeof reviewFacesContract)['request']['body']['fields']>;

export const reviewFacesRoute = defineRoute(reviewFacesContract, {
  async handler({ database, modelStore }, request) {
    const { body, query, scope, signal, caller } = request;
    const deps = { database, models: modelStore };
    const { where, detection_ids: ids } = body.fields;
    if ((where === undefined) === (ids === undefined)) {
      throw oneOfExpected(['detection_ids', 'where']);
    }
    if (where === undefined) {
      requireNoFilter(body.fields);
      if (query.async === true) throw invalidMember('async', 'async is only possible with where');
      const review = reviewOf(body.fields);
      const settle = request.settle(present);
      return present(await reviewFaces(deps, { scope, ids: ids!, review }, { signal, settle }));
    }
    requireFilterRight(caller);
    const filter = { scope, where: toFaceFilter({ ...body.fields, where }) };
    const review = reviewOf(body.fields);
    if (body.fields.dry_run === true) {
      const count = await countWhere(deps, filter, signal);
      return answerWithCount({ database }, request, count);
    }
    if (query.async === true) {
      const options = { signal, settle: request.settle(answerWithBatch) };
      return answerWithBatch(await startBulkReview(deps, { ...filter, review }, options));
    }
    const options = { signal, settle: request.settle(present) };
    return present(await reviewWhere(deps, { ...filter, review }, options));
  },
});

/** @throws KeyMayNotFilter for a key that has only the right to review */
function requireFilterRight({ keyId, right }: Caller): void {
  if (keyId !== null && right === 'review') throw new KeyMayNotFilter();
}

/** Members that a request by ids would ignore, although its caller relies on them. */
function requireNoFilter({ dry_run: isDryRun, except = [] }: Fields): void {
  if (isDryRun === true) throw invalidMember('dry_run', 'dry_run is only possible with where');
  if (except.length > 0) throw invalidMember('except', 'except is only possible with where');
}

function reviewOf({ action, where, identity_id: given }: Fields): ReviewAction {
  if (action === 'restore' && where !== undefined) {
    throw invalidMember('action', 'restore is for rejected faces, which a filter does not select');
  }
  if (action !== 'confirm' && action !== 'reassign') return { action };
  const identity_id = given ?? where?.suggested_identity_id;
  return { action, identityId: requireMember({ identity_id }, 'identity_id', action) };
}

function present(reviewed: ReviewedFaces) {
  return { status: 200, body: presentReviewedFaces(reviewed) } as const;
}
