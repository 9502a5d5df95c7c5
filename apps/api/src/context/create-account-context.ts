import { SessionAuthenticator } from '@sightline/core/accounts/session-authenticator';
import { KeyAuthenticator } from '@sightline/core/api-keys/key-authenticator';
import type { SignInCounterStore } from '@sightline/core/accounts/sign-in-counters';
import type { KeySource } from '@sightline/core/secrets/secret-box';
import type { KeyStore } from '@sightline/core/api-keys/key-store';
import { FairShares } from '@sightline/platform/resilience/fair-shares';
import type { AccountContext } from './account-context.ts';
import { Authorizer, type AuthorizerDeps } from '../auth/authorizer.ts';
import { SessionCookie } from '../auth/session-cookie.ts';
import { SignOnCookie } from '../auth/sign-on-cookie.ts';

/** The most sign-ins that wait for the identity provider, over all clients. */
const MOST_SIGN_ONS = 32;

export interface AccountStores extends Pick<
  AccountContext,
  'accounts' | 'environments' | 'invitations' | 'logins' | 'members' | 'sessions'
> {
  readonly keys: KeyStore;
  readonly signIns: SignInCounterStore;
}

export interface AccountOptions
  extends Pick<AuthorizerDeps, 'proxies'>, Pick<AccountContext, 'identityProvider' | 'passwords'> {
  /** The address under which browsers reach the service; null if it is not configured. */
  readonly publicUrl: string | null;
  readonly secrets: KeySource;
}

export function createAccountContext(
  stores: AccountStores,
  { publicUrl, proxies, identityProvider, passwords, secrets }: AccountOptions,
): AccountContext {
  const url = publicUrl === null ? null : new URL(publicUrl);
  const isSecure = url?.protocol === 'https:';
  const sessionCookie = new SessionCookie(isSecure);
  const knownSessions = new SessionAuthenticator(stores.sessions);
  const authorizer = new Authorizer({
    keys: new KeyAuthenticator(stores.keys),
    sessions: knownSessions,
    cookie: sessionCookie,
    publicOrigin: url?.origin ?? null,
    proxies,
  });
  return {
    authorizer,
    accounts: stores.accounts,
    environments: stores.environments,
    identityProvider,
    invitations: stores.invitations,
    keys: stores.keys,
    logins: stores.logins,
    members: stores.members,
    passwords,
    sessions: stores.sessions,
    knownSessions,
    sealer: secrets.sealer('sign-on'),
    sessionCookie,
    signOnCookie: new SignOnCookie(isSecure),
    signOns: new FairShares(MOST_SIGN_ONS),
    signIns: stores.signIns.keyed(secrets),
  };
}
