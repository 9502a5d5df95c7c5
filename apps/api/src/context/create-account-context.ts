import { PasswordHasher } from '@sightline/core/accounts/password-hasher';
import { SessionAuthenticator } from '@sightline/core/accounts/session-authenticator';
import { KeyAuthenticator } from '@sightline/core/api-keys/key-authenticator';
import type { SignInCounterStore } from '@sightline/core/accounts/sign-in-counters';
import type { KeySource } from '@sightline/core/webhooks/secret-box';
import type { KeyStore } from '@sightline/core/api-keys/key-store';
import type { AccountContext } from './account-context.ts';
import { Authorizer, type AuthorizerDeps } from '../auth/authorizer.ts';
import { SessionCookie } from '../auth/session-cookie.ts';

export interface AccountStores extends Pick<
  AccountContext,
  'accounts' | 'environments' | 'invitations' | 'members' | 'sessions'
> {
  readonly keys: KeyStore;
  readonly signIns: SignInCounterStore;
}

/** @param options.publicUrl the address under which browsers reach the service; null if it is not configured */
export function createAccountContext(
  stores: AccountStores,
  {
    publicUrl,
    proxies,
    secrets,
  }: Pick<AuthorizerDeps, 'proxies'> & {
    readonly publicUrl: string | null;
    readonly secrets: KeySource;
  },
): AccountContext {
  const url = publicUrl === null ? null : new URL(publicUrl);
  const sessionCookie = new SessionCookie(url?.protocol === 'https:');
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
    invitations: stores.invitations,
    keys: stores.keys,
    members: stores.members,
    passwords: new PasswordHasher(),
    sessions: stores.sessions,
    knownSessions,
    sessionCookie,
    signIns: stores.signIns.keyed(secrets),
  };
}
