import { bulkDetectionsContract } from '@sightline/contracts/detections/bulk-detections-contract';
import {
  type BulkAction,
  countBulkDetections,
  startBulkDetections,
} from '@sightline/core/curation/bulk/start-bulk-detections';
import type { DetectionFilter } from '@sightline/core/store/detection-filter';
import type { z } from 'zod';
import { answerWithCount } from '../../http/answer-with-count.ts';
import { answerWithBatch } from '../../http/answer-with-job.ts';
import { defineRoute } from '../../http/define-route.ts';
import { invalidMember, requireMember } from '../../http/require-member.ts';

type Fields = z.output<(typeof bulkDetectionsContract)['request']['body']['fields']>;

export const bulkDetectionsRoute = defineRoute(bulkDetectionsContract, {
  async handler(context, request) {
    const { body, query, scope, signal } = request;
    requirePossible(body.fields, query);
    const bulk = { scope, where: filterOf(body.fields), bulk: actionOf(body.fields) };
    if (body.fields.dry_run === true) {
      const count = await countBulkDetections(context, bulk, signal);
      return answerWithCount(context, request, count);
    }
    const settle = request.settle(answerWithBatch);
    return answerWithBatch(await startBulkDetections(context, bulk, { signal, settle }));
  },
});

/** @throws HttpError */
function requirePossible({ action, where }: Fields, { purge }: { readonly purge: boolean }): void {
  if (action === 'dismiss' && where.type === 'object') {
    throw invalidMember('where.type', 'only faces can be dismissed');
  }
  if (purge && action !== 'delete') throw invalidMember('purge', 'purge is for deletions');
}

function filterOf({ where, as_of: asOf, except }: Fields): DetectionFilter {
  const { identity_id: identityId, image_id: sourceImageId, type, review_status } = where;
  const { class_name: className, detected_since: since, detected_until: until } = where;
  return {
    asOf,
    ...(except && { except }),
    ...(identityId !== undefined && { identityId }),
    ...(sourceImageId !== undefined && { sourceImageId }),
    ...(type && { type }),
    ...(className !== undefined && { className }),
    ...(review_status && { reviewStatus: review_status }),
    ...(since && { since }),
    ...(until && { until }),
  };
}

/** @throws HttpError if a member that the action needs is absent */
function actionOf({ action, dry_run, ...fields }: Fields): BulkAction {
  switch (action) {
    case 'dismiss':
      return { action };
    case 'move':
      return { action, identityId: requireMember(fields, 'identity_id', action) };
    case 'delete':
      // A request that only counts needs no confirmation.
      return {
        action,
        confirmed: dry_run === true ? 0 : requireMember(fields, 'confirm_count', action),
      };
  }
}
