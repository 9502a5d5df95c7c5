import type { AccountStore } from '@sightline/core/accounts/account-store';
import type { EnvironmentStore } from '@sightline/core/accounts/environment-store';
import type { InvitationStore } from '@sightline/core/accounts/invitation-store';
import type { MemberStore } from '@sightline/core/accounts/member-store';
import type { PasswordHasher } from '@sightline/core/accounts/password-hasher';
import type { SessionAuthenticator } from '@sightline/core/accounts/session-authenticator';
import type { SessionStore } from '@sightline/core/accounts/session-store';
import type { SignInCounters } from '@sightline/core/accounts/sign-in-counters';
import type { KeyStore } from '@sightline/core/api-keys/key-store';
import type { Authorizer } from '../auth/authorizer.ts';
import type { SessionCookie } from '../auth/session-cookie.ts';

/** The stores of accounts and keys, and the ways to know callers. */
export interface AccountContext {
  readonly authorizer: Pick<
    Authorizer,
    'authorize' | 'authorizeAdministrator' | 'authorizeAmbiguous'
  >;
  readonly accounts: AccountStore;
  readonly environments: EnvironmentStore;
  readonly invitations: InvitationStore;
  readonly keys: Pick<KeyStore, 'insert' | 'listOfOwner' | 'revokeAsOwner'>;
  readonly members: MemberStore;
  readonly passwords: PasswordHasher;
  readonly sessions: SessionStore;
  /** Remembers the sessions that this process has seen. */
  readonly knownSessions: Pick<SessionAuthenticator, 'authenticate' | 'forget' | 'forgetAccount'>;
  readonly sessionCookie: SessionCookie;
  readonly signIns: SignInCounters;
}
