import { deleteEnvironmentContract } from '@sightline/contracts/accounts/delete-environment-contract';
import { defineRoute } from '../../http/define-route.ts';

export const deleteEnvironmentRoute = defineRoute(deleteEnvironmentContract, {
  async handler({ environments }, { path, session, requestId }) {
    const jobId = await environments.delete({
      accountId: session.account.id,
      environmentId: path.id,
      requestId,
    });
    return { status: 202, body: { job_id: jobId, status: 'pending' as const } };
  },
});
