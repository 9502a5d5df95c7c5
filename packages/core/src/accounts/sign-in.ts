import { type Account, normalizeEmail } from './account.ts';
import { InvalidCredentials, TooManySignIns } from './account-errors.ts';
import type { AccountStore } from './account-store.ts';
import { isPasswordOf, type PasswordHasher } from './password-hasher.ts';
import type { SessionOrigin, SessionStore } from './session-store.ts';
import { createSessionToken } from './session-token.ts';
import type { SignInCounters } from './sign-in-counters.ts';

export interface SignInDeps extends CheckDeps {
  readonly sessions: Pick<SessionStore, 'open'>;
}

export interface CheckDeps {
  readonly accounts: Pick<AccountStore, 'byEmail'>;
  readonly signIns: SignInCounters;
  readonly passwords: Pick<PasswordHasher, 'inTurn'>;
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
  /** The client's address or network, by which failures are counted. */
  readonly countedAddress: string;
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
  const { token, hash } = createSessionToken();
  const session = { ...request.origin, accountId: account.id, passwordHash, hash };
  if (!(await deps.sessions.open(session))) throw new InvalidCredentials();
  return { account, token };
}

/**
 * Returns the account whose credentials these are. The answer takes the same time for unknown and disabled accounts as
 * for wrong passwords.
 *
 * @throws InvalidCredentials, TooManySignIns; StoreUnavailable
 */
export async function checkCredentials(
  { accounts, signIns, passwords }: CheckDeps,
  { email: given, password, countedAddress: address }: Credentials,
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
    const isRight = await isPasswordOf(password, found?.passwordHash ?? null);
    if (found === null || !isRight || found.isDisabled) {
      await signIns.failed(subject);
      throw new InvalidCredentials();
    }
    await signIns.succeeded(subject);
    return found;
  });
}
