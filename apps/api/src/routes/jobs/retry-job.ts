import { retryJobContract } from '@sightline/contracts/jobs/retry-job-contract';
import { retryJob } from '@sightline/core/administration/retry-job';
import { answerWithBatch } from '../../http/answer-with-job.ts';
import { defineRoute } from '../../http/define-route.ts';

export const retryJobRoute = defineRoute(retryJobContract, {
  async handler(context, request) {
    const { path, scope, signal } = request;
    const settle = request.settle(answerWithBatch);
    return answerWithBatch(await retryJob(context, { scope, id: path.id }, { signal, settle }));
  },
});
