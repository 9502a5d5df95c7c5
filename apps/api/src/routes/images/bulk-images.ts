import { bulkImagesContract } from '@sightline/contracts/images/bulk-images-contract';
import {
  type ImagesAction,
  startBulkImages,
} from '@sightline/core/curation/bulk/start-bulk-images';
import type { SourceFilter } from '@sightline/core/sources/source-store';
import type { z } from 'zod';
import { answerWithCount } from '../../http/answer-with-count.ts';
import { answerWithBatch } from '../../http/answer-with-job.ts';
import { defineRoute } from '../../http/define-route.ts';
import { invalidMember, requireMember } from '../../http/require-member.ts';
import { toSourceFilter } from './to-source-filter.ts';

type Fields = z.output<(typeof bulkImagesContract)['request']['body']['fields']>;

export const bulkImagesRoute = defineRoute(bulkImagesContract, {
  async handler(context, request) {
    const { body, query, scope, signal } = request;
    if (query.purge && body.fields.action !== 'delete') {
      throw invalidMember('purge', 'purge is for deletions');
    }
    const where = filterOf(body.fields);
    if (body.fields.dry_run === true) {
      const count = await context.database.withScope(
        scope,
        ({ sources }) => sources.count(where),
        signal,
      );
      return answerWithCount(context, request, count);
    }
    const bulk = { scope, where, bulk: actionOf(body.fields) };
    const settle = request.settle(answerWithBatch);
    return answerWithBatch(await startBulkImages(context, bulk, { signal, settle }));
  },
});

function filterOf({ where, as_of: asOf, except }: Fields): SourceFilter {
  return { ...toSourceFilter(where), asOf, ...(except && { except }) };
}

/** @throws HttpError if the confirmation of a deletion is absent */
function actionOf({ action, type = 'all', replace = false, ...fields }: Fields): ImagesAction {
  if (action === 'reprocess') return { action, types: type, replace };
  return { action, confirmed: requireMember(fields, 'confirm_count', action) };
}
