import { getJobContract } from '@sightline/contracts/jobs/get-job-contract';
import { defineRoute } from '../../http/define-route.ts';
import { presentJob } from './present-job.ts';
import { requireJob } from './require-job.ts';

export const getJobRoute = defineRoute(getJobContract, {
  async handler(context, { path, scope, signal }) {
    const job = await requireJob(context, { scope, id: path.id }, signal);
    return { status: 200, body: presentJob(job) };
  },
});
