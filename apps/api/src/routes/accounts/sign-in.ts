import { signInContract } from '@sightline/contracts/accounts/sign-in-contract';
import { signIn } from '@sightline/core/accounts/sign-in';
import { defineRoute } from '../../http/define-route.ts';
import { presentUser } from './present-user.ts';

/** The most characters of a browser's name that are kept. */
const MAX_USER_AGENT_LENGTH = 500;

export const signInRoute = defineRoute(signInContract, {
  async handler(context, { body, visitor, signal }) {
    const { address, userAgent, countedAddress } = visitor;
    const origin = { address, userAgent: userAgent?.slice(0, MAX_USER_AGENT_LENGTH) ?? null };
    const request = { ...body.fields, countedAddress, origin };
    const { account, token } = await signIn(context, request, signal);
    return {
      status: 200,
      body: { user: presentUser(account) },
      headers: { 'Set-Cookie': context.sessionCookie.set(token) },
    };
  },
});
