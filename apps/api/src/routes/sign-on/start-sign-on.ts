import { startSignOnContract } from '@sightline/contracts/sign-on/start-sign-on-contract';
import { beginSignOn } from '@sightline/core/accounts/begin-sign-on';
import { defineRoute } from '../../http/define-route.ts';
import { waitForProvider } from './wait-for-provider.ts';

export const startSignOnRoute = defineRoute(startSignOnContract, {
  async handler(context, { visitor, session, signal }) {
    const { countedAddress } = visitor;
    const { address, cookie } = await waitForProvider(context, visitor, () =>
      beginSignOn(context, { session, countedAddress }, signal),
    );
    return {
      status: 303,
      body: undefined,
      headers: { Location: address, 'Set-Cookie': context.signOnCookie.set(cookie) },
    };
  },
});
