import { dismissClusterContract } from '@sightline/contracts/clusters/dismiss-cluster-contract';
import { startGroupDecision } from '@sightline/core/curation/bulk/start-bulk-review';
import { dismissFaces } from '@sightline/core/curation/dismiss-faces';
import { areStrangers } from '@sightline/core/curation/label-strangers';
import { answerWithBatch } from '../../http/answer-with-job.ts';
import { defineRoute } from '../../http/define-route.ts';
import { requireMembers } from './require-members.ts';

export const dismissClusterRoute = defineRoute(dismissClusterContract, {
  async handler(context, request) {
    const { query, scope, signal } = request;
    const { chosen: ids } = await requireMembers(context, request);
    if (query.async === true) {
      const decision = { action: 'dismiss' } as const;
      const options = { signal, settle: request.settle(answerWithBatch) };
      return answerWithBatch(await startGroupDecision(context, { scope, ids, decision }, options));
    }
    const dismissed = await dismissFaces(
      context,
      { scope, ids, action: 'dismiss', condition: areStrangers },
      { signal, settle: request.settle(present) },
    );
    return present(dismissed);
  },
});

function present(dismissed: number) {
  return { status: 200, body: { dismissed } } as const;
}
