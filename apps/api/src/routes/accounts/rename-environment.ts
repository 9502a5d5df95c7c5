import { renameEnvironmentContract } from '@sightline/contracts/accounts/rename-environment-contract';
import { normalizeLabel } from '@sightline/core/identities/label';
import { defineRoute } from '../../http/define-route.ts';
import { presentEnvironment } from './present-environment.ts';

export const renameEnvironmentRoute = defineRoute(renameEnvironmentContract, {
  async handler({ environments }, { path, body, session, requestId }) {
    const name = normalizeLabel(body.fields.name);
    const by = { accountId: session.account.id, environmentId: path.id, requestId };
    const renamed = await environments.rename(by, name);
    return { status: 200, body: presentEnvironment(renamed) };
  },
});
