import { EMAIL } from '@sightline/core/accounts/account';
import { ensureFirstAccount, type FirstAccount } from '@sightline/core/accounts/first-account';
import { PasswordHasher } from '@sightline/core/accounts/password-hasher';
import { withExclusiveLease } from '@sightline/core/leases/with-exclusive-lease';
import type { GivenAdministrator } from '@sightline/platform/config/read-administrator';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { PostgresStores } from '@sightline/postgres/open-postgres';

/** The lease under which processes that start at the same time create the first key and the first account. */
export const FIRST_ACCESS = { name: 'first-access', seconds: 15 };

export interface FirstAccountOptions {
  readonly stores: Pick<PostgresStores, 'accounts' | 'leases'>;
  readonly given: GivenAdministrator;
}

/** @throws StartError if the address cannot be used to sign in */
export function requireEmail({ email }: GivenAdministrator): void {
  if (!EMAIL.test(email)) {
    throw new StartError(
      'SIGHTLINE_ADMIN_EMAIL has to be an e-mail address, such as ada@example.org.',
    );
  }
}

/**
 * Creates the administrator that the operator of the installation gave, unless there are accounts.
 *
 * @throws StartError if the e-mail address is none; StoreUnavailable; the signal's reason on abort
 */
export async function openFirstAccount(
  { stores: { accounts, leases }, given }: FirstAccountOptions,
  signal: AbortSignal,
): Promise<FirstAccount | null> {
  requireEmail(given);
  if (await accounts.areThere(signal)) return null;
  const deps = { accounts, passwords: new PasswordHasher(), keep: () => Promise.resolve() };
  return withExclusiveLease({ ...FIRST_ACCESS, leases }, signal, () =>
    ensureFirstAccount(deps, given),
  );
}
