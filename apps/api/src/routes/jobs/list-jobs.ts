import { listJobsContract } from '@sightline/contracts/jobs/list-jobs-contract';
import { answerList, byId } from '../../http/answer-list.ts';
import { defineRoute } from '../../http/define-route.ts';
import { presentJob } from './present-job.ts';

export const listJobsRoute = defineRoute(listJobsContract, {
  handler: (context, request) =>
    answerList(context, request, {
      order: byId('jobs'),
      read: ({ jobs }, before, limit) =>
        jobs.list({ type: request.query.type, status: request.query.status, before, limit }),
      present: presentJob,
    }),
});
