import { getEnvironmentContract } from '@sightline/contracts/accounts/get-environment-contract';
import { defineRoute } from '../../http/define-route.ts';
import { presentKnownEnvironment } from './present-environment.ts';

export const getEnvironmentRoute = defineRoute(getEnvironmentContract, {
  handler: async ({ environments }, { path, session, signal }) => ({
    status: 200,
    body: presentKnownEnvironment(await environments.get(session.account.id, path.id, signal)),
  }),
});
