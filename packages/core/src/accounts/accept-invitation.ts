import { Forbidden, Unauthenticated } from '../access/access-errors.ts';
import { normalizeLabel } from '../identities/label.ts';
import { type Account, nameOf } from './account.ts';
import {
  EmailExists,
  InvitationNotFound,
  PasswordChangeRequired,
  PasswordMissing,
} from './account-errors.ts';
import type { InvitationStore } from './invitation-store.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { parseToken } from './secret-token.ts';
import { effectiveSettings } from '../settings/effective-settings.ts';
import type { SystemSettings } from '../settings/settings-store.ts';
import type { Session } from './session-authenticator.ts';
import { openSession, type OpenSessionDeps } from './sign-in.ts';
import type { SessionOrigin } from './session-store.ts';

export interface AcceptDeps extends OpenSessionDeps {
  readonly invitations: Pick<InvitationStore, 'find' | 'accept' | 'acceptAsNew'>;
  readonly passwords: Pick<PasswordHasher, 'hash'>;
  readonly systemSettings: Pick<SystemSettings, 'all'>;
}

export interface Acceptance {
  readonly token: string;
  /** The session of the person; without one the person has no account yet. */
  readonly session: Pick<Session, 'account'> | undefined;
  /** The name of a new account; the part of the e-mail address before the @ if absent. */
  readonly name: string | undefined;
  /** The password of a new account. */
  readonly password: string | undefined;
  readonly countedAddress: string;
  readonly requestId: string;
  readonly origin: SessionOrigin;
}

export interface Accepted {
  readonly account: Account;
  readonly environmentId: number;
  /** The value of the cookie of a new account's session; null if the person was signed in. */
  readonly token: string | null;
}

export const SIGN_IN_FIRST =
  'The e-mail address of the invitation has an account; sign in before you accept.';

/**
 * Makes the person with the invited e-mail address a member, either the one who is signed in, or a new account, which is
 * then signed in.
 *
 * @throws InvitationNotFound; Forbidden if another account is signed in, or if the author of the invitation may not create
 *   accounts; PasswordChangeRequired; Unauthenticated if the
 *   invited person has an account and is not signed in; MemberExists, PasswordMissing, InvalidLabel, TooManySignIns;
 *   StoreUnavailable
 */
export async function acceptInvitation(
  deps: AcceptDeps,
  request: Acceptance,
  signal?: AbortSignal,
): Promise<Accepted> {
  const hash = parseToken(request.token);
  const found = hash && (await deps.invitations.find(hash, signal));
  if (hash === null || found === null) throw new InvitationNotFound();
  const account = request.session?.account;
  if (account !== undefined)
    return acceptAs(deps, hash, { ...request, account, email: found.email });
  if (found.hasAccount) throw new Unauthenticated(SIGN_IN_FIRST);
  return acceptAsNew(deps, hash, { ...request, email: found.email });
}

/**
 * Makes an account a member by an invitation for its e-mail address.
 *
 * @throws Forbidden, PasswordChangeRequired, InvitationNotFound, MemberExists; StoreUnavailable
 */
export async function acceptAs(
  { invitations }: { readonly invitations: Pick<InvitationStore, 'accept'> },
  hash: Uint8Array,
  {
    account,
    email,
    requestId,
  }: Pick<Acceptance, 'requestId'> & { readonly account: Account; readonly email: string },
): Promise<Accepted> {
  if (account.email !== email) throw new Forbidden('The invitation is for another account.');
  if (account.passwordBy === 'administrator') throw new PasswordChangeRequired();
  const environmentId = await invitations.accept(hash, { accountId: account.id, requestId });
  if (environmentId === null) throw new InvitationNotFound();
  return { account, environmentId, token: null };
}

async function acceptAsNew(
  deps: AcceptDeps,
  hash: Uint8Array,
  { email, name, password, countedAddress, ...by }: Acceptance & { readonly email: string },
): Promise<Accepted> {
  if (password === undefined) throw new PasswordMissing();
  const label = name === undefined ? nameOf(email) : normalizeLabel(name);
  const passwordHash = await deps.passwords.hash(password, countedAddress);
  const { invitationsOfNewAccounts: mayCreate } = effectiveSettings(
    await deps.systemSettings.all(),
  );
  const created = await deps.invitations
    .acceptAsNew(hash, { name: label, passwordHash, mayCreate, requestId: by.requestId })
    .catch((error: unknown) => {
      throw error instanceof EmailExists ? new Unauthenticated(SIGN_IN_FIRST) : error;
    });
  if (created === null) throw new InvitationNotFound();
  const token = await openSession(deps, { ...by, account: created.account, passwordHash });
  return { ...created, token };
}
