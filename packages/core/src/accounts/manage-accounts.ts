import { randomBytes } from 'node:crypto';
import type { Actor } from '../store/actor.ts';
import { normalizeLabel } from '../identities/label.ts';
import { NotFound } from '../store/not-found.ts';
import { type Account, nameOf, normalizeEmail } from './account.ts';
import type { AccountChanges, AccountStore } from './account-store.ts';
import type { PasswordHasher } from './password-hasher.ts';

/** The holder of passwords that administrators make, in the queue of passwords. */
const ADMINISTRATION = 'administration';
/** 144 random bits, which are 24 characters in base64url. */
const PASSWORD_BYTES = 18;

export interface ManageDeps {
  readonly accounts: Pick<AccountStore, 'insert' | 'change' | 'byId'>;
  readonly passwords: Pick<PasswordHasher, 'hash'>;
}

export interface NewUser {
  readonly email: string;
  /** The part of the e-mail address before the @ if absent. */
  readonly name?: string | undefined;
  /** Made by the service if absent. */
  readonly password?: string | undefined;
  readonly isAdmin: boolean;
}

export type UserChanges = Omit<AccountChanges, 'passwordHash'> & { readonly password?: string };

export interface CreatedUser {
  readonly account: Account;
  /** The password that was made; null if the administrator gave one. */
  readonly password: string | null;
}

export function makePassword(): string {
  return randomBytes(PASSWORD_BYTES).toString('base64url');
}

/**
 * Creates an account, whose person has to replace the password.
 *
 * @throws EmailExists, InvalidLabel, TooManySignIns; StoreUnavailable
 */
export async function createUser(
  { accounts, passwords }: ManageDeps,
  { email: given, name, password, isAdmin }: NewUser,
  actor: Actor,
): Promise<CreatedUser> {
  const email = normalizeEmail(given);
  const label = name === undefined ? nameOf(email) : normalizeLabel(name);
  const made = password === undefined ? makePassword() : null;
  const passwordHash = await passwords.hash(password ?? made!, ADMINISTRATION);
  const account = await accounts.insert(
    { email, name: label, isAdmin, passwordBy: 'administrator', passwordHash },
    actor,
  );
  return { account, password: made };
}

/**
 * Changes an account. A new password or the loss of the account's access ends its sessions.
 *
 * @throws NotFound, LastAdministrator, TooManySignIns; StoreUnavailable
 */
export async function changeUser(
  { accounts, passwords }: ManageDeps,
  { id, actor }: { readonly id: string; readonly actor: Actor },
  { password, ...changes }: UserChanges,
): Promise<Account> {
  const found = await accounts.byId(id);
  if (found === null) throw new NotFound('user', id);
  // The hash comes first, so that all of it changes in one transaction.
  const made = password !== undefined && {
    passwordHash: await passwords.hash(password, ADMINISTRATION),
  };
  const all = { ...changes, ...made };
  if (Object.keys(all).length === 0) return found;
  const changed = await accounts.change(id, all, actor);
  if (changed === null) throw new NotFound('user', id);
  return changed;
}
