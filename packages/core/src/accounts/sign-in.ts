import { type Account, normalizeEmail } from './account.ts';
import { InvalidCredentials, TooManySignIns } from './account-errors.ts';
import type { AccountStore } from './account-store.ts';
import type { PasswordHasher } from './password-hasher.ts';
import type { SessionOrigin, SessionStore } from './session-store.ts';
import { createToken } from './secret-token.ts';
import type { SignInCounters } from './sign-in-counters.ts';

export interface OpenSessionDeps {
  readonly sessions: Pick<SessionStore, 'open'>;
}

export type SignInDeps = CheckDeps & OpenSessionDeps;

export interface CheckDeps {
  readonly accounts: Pick<AccountStore, 'byEmail'>;
  readonly signIns: SignInCounters;
  readonly passwords: Pick<PasswordHasher, 'inTurn' | 'isPasswordOf'>;
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
  /** The client's address or network, by which failures are counted. */
  readonly countedAddress: string;
  readonly requestId: string;
}

export interface SignedIn {
  readonly account: Account;
  /** The value of the session's cookie. */
  readonly token: string;
}

/**
 * Signs a person in with a new session.
 *
 * @throws InvalidCredentials, TooManySignIns; StoreUnavailable
 */
export async function signIn(
  deps: SignInDeps,
  request: Credentials & { readonly origin: SessionOrigin },
  signal?: AbortSignal,
): Promise<SignedIn> {
  const { passwordHash, ...account } = await checkCredentials(deps, request, signal);
  const { origin, requestId } = request;
  const token = await openSession(deps, { account, passwordHash, origin, requestId });
  return { account, token };
}

/**
 * Opens a session for an account whose password was checked, and returns the value of its cookie.
 *
 * @throws InvalidCredentials if the account was disabled or got another password since; StoreUnavailable
 */
export async function openSession(
  { sessions }: OpenSessionDeps,
  {
    account,
    passwordHash,
    origin,
    requestId,
  }: {
    readonly account: Pick<Account, 'id'>;
    readonly passwordHash: string;
    readonly origin: SessionOrigin;
    readonly requestId: string;
  },
): Promise<string> {
  const { token, hash } = createToken();
  const session = { ...origin, accountId: account.id, passwordHash, hash, requestId };
  if (!(await sessions.open(session))) throw new InvalidCredentials();
  return token;
}

/**
 * Returns the account whose credentials these are. The answer takes the same time for unknown and disabled accounts as
 * for wrong passwords.
 *
 * @throws InvalidCredentials, TooManySignIns; StoreUnavailable
 */
export async function checkCredentials(
  { accounts, signIns, passwords }: CheckDeps,
  { email: given, password, countedAddress: address, requestId }: Credentials,
  signal?: AbortSignal,
): Promise<Account & { readonly passwordHash: string }> {
  const email = normalizeEmail(given);
  const subject = { email, address };
  const requireAttempt = async () => {
    if (!(await signIns.mayTry(subject, signal))) throw new TooManySignIns();
  };
  // Refused attempts do not wait. In its turn an attempt sees the failures of all attempts of this process before it.
  await requireAttempt();
  return passwords.inTurn(address, async () => {
    await requireAttempt();
    const found = await accounts.byEmail(email, signal);
    const isRight = await passwords.isPasswordOf(password, found?.passwordHash ?? null);
    if (found === null || !isRight || found.isDisabled) {
      await signIns.failed(subject, requestId);
      throw new InvalidCredentials();
    }
    await signIns.succeeded(subject);
    return found;
  });
}
