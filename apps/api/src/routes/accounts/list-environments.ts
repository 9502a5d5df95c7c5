import { listEnvironmentsContract } from '@sightline/contracts/accounts/list-environments-contract';
import { defineRoute } from '../../http/define-route.ts';
import { presentEnvironment } from './present-environment.ts';

export const listEnvironmentsRoute = defineRoute(listEnvironmentsContract, {
  handler: async ({ environments }, { session, signal }) => ({
    status: 200,
    body: { items: (await environments.list(session.account.id, signal)).map(presentEnvironment) },
  }),
});
