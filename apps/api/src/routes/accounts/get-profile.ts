import { getProfileContract } from '@sightline/contracts/accounts/get-profile-contract';
import { defineRoute } from '../../http/define-route.ts';
import { presentProfile } from './present-user.ts';

export const getProfileRoute = defineRoute(getProfileContract, {
  async handler({ identityProvider, logins }, { session: { account }, signal }) {
    const ways = await logins.waysOf(account.id, identityProvider?.issuer ?? null, signal);
    return { status: 200, body: presentProfile(account, ways) };
  },
});
