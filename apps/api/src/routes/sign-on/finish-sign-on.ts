import { finishSignOnContract } from '@sightline/contracts/sign-on/finish-sign-on-contract';
import { isSignOnError, type SignOnError } from '@sightline/contracts/sign-on/sign-on';
import { finishSignOn } from '@sightline/core/accounts/finish-sign-on';
import { ForeignAnswer } from '@sightline/core/accounts/sign-on-errors';
import { DomainError } from '@sightline/core/domain-error';
import { HttpError } from '@sightline/platform/http/http-errors';
import { defineRoute } from '../../http/define-route.ts';
import { originOf } from '../accounts/origin-of.ts';
import { waitForProvider } from './wait-for-provider.ts';

export const finishSignOnRoute = defineRoute(finishSignOnContract, {
  async handler(context, { query, headers, visitor, requestId }) {
    const { signOnCookie, sessionCookie, knownSessions, logger } = context;
    const answer = {
      cookie: signOnCookie.read(headers),
      query: answerOf(query),
      countedAddress: visitor.countedAddress,
      origin: originOf(visitor),
      requestId,
    };
    try {
      const { accountId, token } = await waitForProvider(context, visitor, () =>
        finishSignOn(context, answer),
      );
      knownSessions.forgetAccount(accountId);
      // The browser sends no cookies of sessions here, because it comes from another site. It may have some of other pages.
      const others = sessionCookie.clearOthers(visitor.serviceOrigin);
      return redirectTo('/console/', [
        signOnCookie.clear(),
        ...(token === null ? [] : [sessionCookie.set(token), ...others]),
      ]);
    } catch (error) {
      const code = refusalOf(error);
      if (code === null) throw error;
      logger.info(
        { request_id: requestId, code },
        'a sign-in at the identity provider was refused',
      );
      const cookies = isByAnyPage(error) ? [] : [signOnCookie.clear()];
      return redirectTo(`/console/sign-in?error=${code}`, cookies);
    }
  },
});

/** The answer of the provider, in which a parameter may be repeated. */
function answerOf(query: Readonly<Record<string, string | string[] | undefined>>): URLSearchParams {
  const answer = new URLSearchParams();
  for (const [name, given = []] of Object.entries(query)) {
    for (const value of [given].flat()) answer.append(name, value);
  }
  return answer;
}

/** Whether any page can cause the refusal. The sign-in that the browser has begun goes on then. */
function isByAnyPage(error: unknown): boolean {
  return error instanceof ForeignAnswer || error instanceof HttpError;
}

/** The code with which the browser comes back; null for a fault of the service. */
function refusalOf(error: unknown): SignOnError | null {
  if (!(error instanceof DomainError || error instanceof HttpError)) return null;
  return isSignOnError(error.code) ? error.code : null;
}

function redirectTo(location: string, cookies: readonly string[]) {
  const headers = { Location: location, 'Set-Cookie': cookies, 'Cache-Control': 'no-store' };
  return { status: 303, body: undefined, headers } as const;
}
