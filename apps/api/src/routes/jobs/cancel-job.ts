import { cancelJobContract } from '@sightline/contracts/jobs/cancel-job-contract';
import { cancelJob } from '@sightline/core/administration/cancel-job';
import type { Job } from '@sightline/core/jobs/job';
import { defineRoute } from '../../http/define-route.ts';
import { presentJob } from './present-job.ts';

export const cancelJobRoute = defineRoute(cancelJobContract, {
  async handler(context, request) {
    const { path, scope, signal } = request;
    const settle = request.settle(answerWith);
    return answerWith(await cancelJob(context, { scope, id: path.id }, { signal, settle }));
  },
});

function answerWith(job: Job) {
  return { status: 200, body: presentJob(job) } as const;
}
