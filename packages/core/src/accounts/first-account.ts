import { type Account, nameOf, normalizeEmail } from './account.ts';
import type { AccountStore } from './account-store.ts';
import { makePassword } from './manage-accounts.ts';
import type { PasswordHasher } from './password-hasher.ts';

/** The e-mail address of the first administrator if the operator of the installation gave none. */
export const FIRST_EMAIL = 'admin@localhost';

export interface FirstAccountDeps {
  readonly accounts: Pick<AccountStore, 'areThere' | 'insertFirst'>;
  readonly passwords: Pick<PasswordHasher, 'hash'>;
  /** Stores a password that was made in a place where the operator of the installation can read it. */
  readonly keep: (password: string) => Promise<void>;
}

export interface FirstAccount {
  readonly account: Account;
  /** The password that was made; null if the operator gave one. */
  readonly password: string | null;
}

/**
 * Creates the first administrator, unless there are accounts. The administrator becomes the owner of all environments
 * that have none. Only one process may call this at a time.
 *
 * @param given the e-mail address and the password that the operator chose; null for `admin@localhost` and a password
 *   that is made
 * @returns null if there were accounts already
 * @throws StoreUnavailable; the errors of `keep`
 */
export async function ensureFirstAccount(
  { accounts, passwords, keep }: FirstAccountDeps,
  given: { readonly email: string; readonly password: string } | null,
): Promise<FirstAccount | null> {
  if (await accounts.areThere()) return null;
  const made = given === null ? makePassword() : null;
  // The operator gets the password before the account exists. Otherwise a crash could leave an administrator whose
  // password no person knows.
  if (made !== null) await keep(made);
  const email = normalizeEmail(given?.email ?? FIRST_EMAIL);
  const account = await accounts.insertFirst({
    email,
    name: nameOf(email),
    isAdmin: true,
    passwordBy: given === null ? 'service' : 'owner',
    passwordHash: await passwords.hash(given?.password ?? made!, email),
  });
  return account && { account, password: made };
}
