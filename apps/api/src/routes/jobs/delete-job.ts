import { deleteJobContract } from '@sightline/contracts/jobs/delete-job-contract';
import { deleteJob } from '@sightline/core/administration/delete-job';
import { defineRoute } from '../../http/define-route.ts';

export const deleteJobRoute = defineRoute(deleteJobContract, {
  async handler(context, { path, scope, signal }) {
    await deleteJob(context, { scope, id: path.id }, { signal });
    return { status: 204, body: undefined };
  },
});
