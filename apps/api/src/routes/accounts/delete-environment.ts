import { deleteEnvironmentContract } from '@sightline/contracts/accounts/delete-environment-contract';
import { defineRoute } from '../../http/define-route.ts';

export const deleteEnvironmentRoute = defineRoute(deleteEnvironmentContract, {
  async handler({ environments, knownSessions }, { path, session, requestId }) {
    const jobId = await environments.delete({
      accountId: session.account.id,
      environmentId: path.id,
      requestId,
    });
    // The environment may be the default one of the account.
    knownSessions.forgetAccount(session.account.id);
    return { status: 202, body: { job_id: jobId, status: 'pending' as const } };
  },
});
