import { actorOf } from '../store/actor.ts';
import type { Account } from './account.ts';
import { InvalidCredentials, SamePassword } from './account-errors.ts';
import type { AccountStore } from './account-store.ts';
import type { PasswordHasher } from './password-hasher.ts';
import type { Session } from './session-authenticator.ts';
import { type CheckDeps, checkCredentials } from './sign-in.ts';

export interface ChangePasswordDeps extends CheckDeps {
  readonly accounts: Pick<AccountStore, 'byEmail' | 'replacePassword'>;
  readonly passwords: Pick<PasswordHasher, 'inTurn' | 'isPasswordOf' | 'hash'>;
}

export interface PasswordChange {
  readonly session: Pick<Session, 'id'> & { readonly account: Pick<Account, 'id' | 'email'> };
  readonly current: string;
  readonly next: string;
  readonly countedAddress: string;
  readonly requestId: string;
}

/**
 * Replaces a person's own password and ends the person's other sessions. A wrong current password counts as a failed
 * sign-in.
 *
 * @throws InvalidCredentials, also if the password was replaced at the same time; SamePassword,
 *   TooManySignIns; StoreUnavailable
 */
export async function changePassword(
  deps: ChangePasswordDeps,
  { session, current, next, countedAddress, requestId }: PasswordChange,
  signal?: AbortSignal,
): Promise<void> {
  const { id, email } = session.account;
  const credentials = { email, password: current, countedAddress, requestId };
  const { passwordHash } = await checkCredentials(deps, credentials, signal);
  if (next === current) throw new SamePassword();
  const hash = await deps.passwords.hash(next, id);
  const changed = await deps.accounts.replacePassword(id, {
    before: passwordHash,
    hash,
    keptSession: session.id,
    actor: actorOf({ accountId: id, requestId }),
  });
  if (!changed) throw new InvalidCredentials();
}
