import { listUsersContract } from '@sightline/contracts/accounts/list-users-contract';
import { defineRoute } from '../../http/define-route.ts';
import { presentUser } from './present-user.ts';

export const listUsersRoute = defineRoute(listUsersContract, {
  handler: async ({ accounts }, { signal }) => ({
    status: 200,
    body: { items: (await accounts.list(signal)).map(presentUser) },
  }),
});
