import { createEnvironmentContract } from '@sightline/contracts/accounts/create-environment-contract';
import { normalizeLabel } from '@sightline/core/identities/label';
import { defineRoute } from '../../http/define-route.ts';
import { presentEnvironment } from './present-environment.ts';

export const createEnvironmentRoute = defineRoute(createEnvironmentContract, {
  async handler({ environments, knownSessions }, { body, session, requestId }) {
    const name = normalizeLabel(body.fields.name);
    const created = await environments.create({ accountId: session.account.id, requestId }, name);
    // The process may remember that the account is a member of no environment.
    knownSessions.forget(session.id);
    return { status: 201, body: presentEnvironment(created) };
  },
});
