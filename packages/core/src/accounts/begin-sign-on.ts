import { Unauthenticated } from '../access/access-errors.ts';
import { InvitationNotFound, PasswordChangeRequired, TooManySignIns } from './account-errors.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { InvitationStore } from './invitation-store.ts';
import { sealPending, type SignOnPurpose } from './pending-sign-on.ts';
import type { Sealer } from '../secrets/secret-box.ts';
import { createToken, parseToken } from './secret-token.ts';
import type { Session } from './session-authenticator.ts';
import type { SignInCounters } from './sign-in-counters.ts';
import { NoIdentityProvider } from './sign-on-errors.ts';

export interface BeginSignOnDeps {
  /** Null if the installation has no identity provider. */
  readonly identityProvider: IdentityProvider | null;
  readonly sealer: Sealer;
  readonly invitations: Pick<InvitationStore, 'find'>;
  readonly signIns: Pick<SignInCounters, 'mayTryFrom'>;
}

export interface SignOnRequest {
  /** Whether the login is to be bound to the account of the session. */
  readonly binds?: boolean | undefined;
  /** The token of the invitation that is to be accepted. */
  readonly invitation?: string | undefined;
  readonly session: Pick<Session, 'id' | 'account'> | undefined;
  readonly countedAddress: string;
}

export interface BegunSignOn {
  /** The page of the provider at which the person signs in. */
  readonly address: string;
  /** The value of the cookie that the browser sends with the answer of the provider. */
  readonly cookie: string;
}

/**
 * Begins a sign-in at the identity provider.
 *
 * @throws NoIdentityProvider, TooManySignIns, NoSecretKey, IdentityProviderUnavailable; Unauthenticated and
 *   PasswordChangeRequired if a login is to be bound; InvitationNotFound; StoreUnavailable
 */
export async function beginSignOn(
  deps: BeginSignOnDeps,
  request: SignOnRequest,
  signal?: AbortSignal,
): Promise<BegunSignOn> {
  const { identityProvider, signIns, sealer } = deps;
  if (identityProvider === null) throw new NoIdentityProvider();
  if (!(await signIns.mayTryFrom(request.countedAddress, signal))) throw new TooManySignIns();
  const purpose = await purposeOf(deps, request, signal);
  const [state, nonce, verifier] = [newSecret(), newSecret(), newSecret()];
  const secrets = { state, nonce, verifier };
  const cookie = sealPending(sealer, { ...secrets, purpose });
  return { address: await identityProvider.addressFor(secrets, signal), cookie };
}

async function purposeOf(
  { invitations }: BeginSignOnDeps,
  { binds = false, invitation, session }: SignOnRequest,
  signal: AbortSignal | undefined,
): Promise<SignOnPurpose> {
  if (binds) {
    if (session === undefined) throw new Unauthenticated('Sign in before you bind a login.');
    const { id: sessionId, account } = session;
    if (account.passwordBy === 'administrator') throw new PasswordChangeRequired();
    return { kind: 'bind', accountId: account.id, sessionId };
  }
  if (invitation === undefined) return { kind: 'sign-in' };
  const hash = parseToken(invitation);
  if (hash === null || (await invitations.find(hash, signal)) === null) {
    throw new InvitationNotFound();
  }
  return { kind: 'invitation', hash: Buffer.from(hash).toString('base64url') };
}

function newSecret(): string {
  return createToken().token;
}
