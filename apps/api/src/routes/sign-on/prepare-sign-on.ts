import { prepareSignOnContract } from '@sightline/contracts/sign-on/prepare-sign-on-contract';
import { beginSignOn } from '@sightline/core/accounts/begin-sign-on';
import { defineRoute } from '../../http/define-route.ts';
import { waitForProvider } from './wait-for-provider.ts';

export const prepareSignOnRoute = defineRoute(prepareSignOnContract, {
  async handler(context, { body, visitor, session, signal }) {
    const { link: binds, invitation_token: invitation } = body.fields;
    const { countedAddress } = visitor;
    const { address, cookie } = await waitForProvider(context, visitor, () =>
      beginSignOn(context, { binds, invitation, session, countedAddress }, signal),
    );
    return {
      status: 200,
      body: { url: address },
      headers: { 'Set-Cookie': context.signOnCookie.set(cookie) },
    };
  },
});
