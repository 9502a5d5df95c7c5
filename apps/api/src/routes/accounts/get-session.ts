import { getSessionContract } from '@sightline/contracts/accounts/get-session-contract';
import { defineRoute } from '../../http/define-route.ts';
import { presentUser } from './present-user.ts';

export const getSessionRoute = defineRoute(getSessionContract, {
  handler: (_, { session }) => ({
    status: 200,
    body: {
      user: presentUser(session.account),
      environment_id: session.membership?.environmentId ?? null,
    },
  }),
});
