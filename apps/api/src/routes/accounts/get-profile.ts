import { getProfileContract } from '@sightline/contracts/accounts/get-profile-contract';
import { defineRoute } from '../../http/define-route.ts';
import { presentProfile } from './present-user.ts';

export const getProfileRoute = defineRoute(getProfileContract, {
  handler: (_, { session }) => ({ status: 200, body: presentProfile(session.account) }),
});
