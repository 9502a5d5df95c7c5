import type { AccountStore } from '@sightline/core/accounts/account-store';
import type { EnvironmentStore } from '@sightline/core/accounts/environment-store';
import type { IdentityProvider } from '@sightline/core/accounts/identity-provider';
import type { InvitationStore } from '@sightline/core/accounts/invitation-store';
import type { LoginStore } from '@sightline/core/accounts/login-store';
import type { MemberStore } from '@sightline/core/accounts/member-store';
import type { PasswordHasher } from '@sightline/core/accounts/password-hasher';
import type { Sealer } from '@sightline/core/secrets/secret-box';
import type { SessionAuthenticator } from '@sightline/core/accounts/session-authenticator';
import type { SessionStore } from '@sightline/core/accounts/session-store';
import type { SignInCounters } from '@sightline/core/accounts/sign-in-counters';
import type { KeyStore } from '@sightline/core/api-keys/key-store';
import type { FairShares } from '@sightline/platform/resilience/fair-shares';
import type { Authorizer } from '../auth/authorizer.ts';
import type { SessionCookie } from '../auth/session-cookie.ts';
import type { SignOnCookie } from '../auth/sign-on-cookie.ts';

/** The stores of accounts and keys, and the ways to know callers. */
export interface AccountContext {
  readonly authorizer: Pick<
    Authorizer,
    'authorize' | 'authorizeAdministrator' | 'authorizeAmbiguous'
  >;
  readonly accounts: AccountStore;
  readonly environments: EnvironmentStore;
  /** Null if people sign in with passwords alone. */
  readonly identityProvider: IdentityProvider | null;
  readonly invitations: InvitationStore;
  readonly keys: Pick<KeyStore, 'insert' | 'listOfOwner' | 'revokeAsOwner'>;
  readonly logins: LoginStore;
  readonly members: MemberStore;
  readonly passwords: PasswordHasher;
  readonly sessions: SessionStore;
  /** Remembers the sessions that this process has seen. */
  readonly knownSessions: Pick<SessionAuthenticator, 'authenticate' | 'forget' | 'forgetAccount'>;
  /** Seals sign-ins at the provider that have begun. */
  readonly sealer: Sealer;
  readonly sessionCookie: SessionCookie;
  readonly signOnCookie: SignOnCookie;
  /** Limits the sign-ins that wait for the provider, because each may take seconds. */
  readonly signOns: FairShares;
  readonly signIns: SignInCounters;
}
