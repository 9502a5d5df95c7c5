import { Unauthenticated } from '../access/access-errors.ts';
import { DomainError } from '../domain-error.ts';
import { normalizeLabel } from '../identities/label.ts';
import { acceptAs, SIGN_IN_FIRST } from './accept-invitation.ts';
import { type Account, EMAIL, nameOf, normalizeEmail } from './account.ts';
import { EmailExists, InvitationNotFound, TooManySignIns } from './account-errors.ts';
import type { IdentityProvider, ProvenLogin } from './identity-provider.ts';
import type { InvitationStore } from './invitation-store.ts';
import { type LoginProfile, NO_PASSWORD } from './login.ts';
import type { LoginStore } from './login-store.ts';
import { openPending, type SignOnPurpose } from './pending-sign-on.ts';
import { effectiveSettings } from '../settings/effective-settings.ts';
import type { SystemSettings } from '../settings/settings-store.ts';
import { StoreUnavailable } from '../store/store-errors.ts';
import type { Sealer } from '../secrets/secret-box.ts';
import { createToken } from './secret-token.ts';
import type { SessionOrigin, SessionStore } from './session-store.ts';
import type { SignInCounters, SignOnRefusal } from './sign-in-counters.ts';
import {
  EmailUnverified,
  ForeignAnswer,
  IdentityProviderUnavailable,
  LinkedElsewhere,
  NoIdentityProvider,
  SignOnExpired,
  UnknownAccount,
} from './sign-on-errors.ts';

export interface FinishSignOnDeps {
  /** Null if the installation has no identity provider. */
  readonly identityProvider: IdentityProvider | null;
  readonly sealer: Sealer;
  readonly logins: Pick<LoginStore, 'accountOf' | 'signUp' | 'bind'>;
  readonly invitations: Pick<InvitationStore, 'find' | 'accept' | 'acceptAsNew'>;
  readonly sessions: Pick<SessionStore, 'open'>;
  readonly systemSettings: Pick<SystemSettings, 'all'>;
  readonly signIns: Pick<SignInCounters, 'mayTryFrom' | 'failedFrom' | 'succeeded'>;
}

export interface SignOnAnswer {
  /** The value of the cookie; null if the browser sent none. */
  readonly cookie: string | null;
  /** The query with which the provider has sent the browser back. */
  readonly query: URLSearchParams;
  readonly countedAddress: string;
  readonly requestId: string;
  readonly origin: SessionOrigin;
}

export interface FinishedSignOn {
  readonly accountId: string;
  /** The value of the cookie of a new session; null if the account was signed in. */
  readonly token: string | null;
}

/** The longest e-mail address that mail servers accept (RFC 5321, 4.5.3.1). */
const MAX_EMAIL_LENGTH = 254;

/** The errors that are no refusals. All others count as failed sign-ins of the client's address. */
const FAULTS = [IdentityProviderUnavailable, StoreUnavailable];

/**
 * Completes a sign-in at the identity provider for the purpose for which this browser began it. A login signs in as the
 * account to which it is bound, whatever e-mail address it has. It cannot be aborted: a browser that disconnects is not
 * to escape the limit of requests to the provider, or the count of refusals.
 *
 * @throws SignOnExpired if the browser has begun no sign-in; ForeignAnswer if it has begun another; NoIdentityProvider, TooManySignIns, NoSecretKey; the
 *   errors of IdentityProvider.verify; UnknownAccount, EmailUnverified, EmailExists; LinkSessionEnded, LinkedElsewhere,
 *   AlreadyLinked; InvitationNotFound and the other errors of acceptInvitation; StoreUnavailable
 */
export async function finishSignOn(
  deps: FinishSignOnDeps,
  answer: SignOnAnswer,
): Promise<FinishedSignOn> {
  const { identityProvider, sealer, signIns } = deps;
  if (identityProvider === null) throw new NoIdentityProvider();
  // Any page can send a browser here, but only without the cookie or with another state. Such requests count for no one.
  const pending = answer.cookie === null ? null : openPending(sealer, answer.cookie);
  if (pending === null) throw new SignOnExpired();
  if (!answer.query.getAll('state').includes(pending.state)) throw new ForeignAnswer();
  if (!(await signIns.mayTryFrom(answer.countedAddress))) throw new TooManySignIns();
  const proven = await counted(deps, { answer, refusal: () => null }, () =>
    identityProvider.verify(answer.query, pending),
  );
  const account = await deps.logins.accountOf(proven.login);
  const refusal = (reason: string) => ({ accountId: account?.id ?? null, reason });
  const sign = { ...answer, proven, account, allowsSignUp: identityProvider.allowsSignUp };
  return counted(deps, { answer, refusal }, () => complete(deps, pending.purpose, sign));
}

/** Counts the refusal of a sign-in. */
async function counted<T>(
  { signIns }: FinishSignOnDeps,
  {
    answer: { countedAddress, requestId },
    refusal,
  }: {
    readonly answer: SignOnAnswer;
    /** The facts for the audit; null if no provider has proven a login. */
    readonly refusal: (reason: string) => SignOnRefusal | null;
  },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError && !FAULTS.some((each) => error instanceof each)) {
      await signIns.failedFrom(countedAddress, refusal(error.code), requestId);
    }
    throw error;
  }
}

interface ProvenSignOn extends SignOnAnswer {
  readonly proven: ProvenLogin;
  /** The account to which the login is bound; null if there is none. */
  readonly account: Account | null;
  readonly allowsSignUp: boolean;
}

async function complete(
  deps: FinishSignOnDeps,
  purpose: SignOnPurpose,
  sign: ProvenSignOn,
): Promise<FinishedSignOn> {
  const { requestId, proven } = sign;
  if (purpose.kind === 'bind') {
    const { accountId, sessionId } = purpose;
    await deps.logins.bind(proven.login, { accountId, sessionId, requestId });
    return { accountId, token: null };
  }
  if (sign.account?.isDisabled === true) throw new UnknownAccount();
  const account =
    purpose.kind === 'sign-in'
      ? (sign.account ?? (await signUp(deps, sign)))
      : await acceptByLogin(deps, Buffer.from(purpose.hash, 'base64url'), sign);
  return { accountId: account.id, token: await openSessionOf(deps, account, sign) };
}

async function openSessionOf(
  { sessions, signIns }: FinishSignOnDeps,
  { id: accountId, email }: Account,
  { proven: { login }, origin, countedAddress: address, requestId }: ProvenSignOn,
): Promise<string> {
  const { token, hash } = createToken();
  const isOpen = await sessions.open({ ...origin, accountId, login, hash, requestId });
  if (!isOpen) throw new UnknownAccount();
  await signIns.succeeded({ email, address });
  return token;
}

async function signUp({ logins }: FinishSignOnDeps, sign: ProvenSignOn): Promise<Account> {
  const { proven, allowsSignUp, requestId } = sign;
  if (!allowsSignUp) throw new UnknownAccount();
  const profile = await proven.profile();
  const email = verifiedEmail(profile);
  const name = nameFrom(profile, email);
  try {
    return await logins.signUp(proven.login, { email, name, requestId });
  } catch (error) {
    if (!(error instanceof EmailExists || error instanceof LinkedElsewhere)) throw error;
    // Another callback of the same person may have created the account since.
    const created = await logins.accountOf(proven.login);
    if (created === null) throw error;
    return created;
  }
}

/** @throws EmailUnverified */
function verifiedEmail({ email, isEmailVerified }: LoginProfile): string {
  if (email === null || !isEmailVerified) throw new EmailUnverified();
  // The check comes before other letters become those of another person's address, as the Kelvin sign becomes a k.
  if (email.length > MAX_EMAIL_LENGTH || !EMAIL.test(email)) throw new EmailUnverified();
  return normalizeEmail(email);
}

function nameFrom({ name }: LoginProfile, email: string): string {
  try {
    return normalizeLabel(name ?? '');
  } catch {
    return nameOf(email);
  }
}

/**
 * Accepts an invitation as the account of the login, or creates the account of the invited person. A new login is never
 * bound to an account that exists, because the author of the invitation knows its token, too.
 */
async function acceptByLogin(
  { invitations, systemSettings }: FinishSignOnDeps,
  hash: Uint8Array,
  { account, proven, requestId }: ProvenSignOn,
): Promise<Account> {
  const found = await invitations.find(hash);
  if (found === null) throw new InvitationNotFound();
  const { email } = found;
  if (account !== null) {
    await acceptAs({ invitations }, hash, { account, email, requestId });
    return account;
  }
  if (found.hasAccount) throw new Unauthenticated(SIGN_IN_FIRST);
  const name = nameFrom(await proven.profile(), email);
  const { invitationsOfNewAccounts: mayCreate } = effectiveSettings(await systemSettings.all());
  const given = { name, passwordHash: NO_PASSWORD, login: proven.login, mayCreate, requestId };
  const created = await invitations.acceptAsNew(hash, given);
  if (created === null) throw new InvitationNotFound();
  return created.account;
}
