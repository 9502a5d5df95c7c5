import { COMMAND } from '@sightline/core/store/actor';
import { type Account, normalizeEmail } from '@sightline/core/accounts/account';
import { changeUser } from '@sightline/core/accounts/manage-accounts';
import { PasswordHasher } from '@sightline/core/accounts/password-hasher';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { CommandInput } from './command.ts';
import { openInstallation } from './open-installation.ts';

type Changes = Parameters<typeof changeUser>[2];

/**
 * Changes the account whose e-mail address is the first operand.
 *
 * @throws StartError if there is none; LastAdministrator
 */
export async function changeAccountOf(input: CommandInput, changes: Changes): Promise<Account> {
  const [email = ''] = input.operands;
  await using installation = await openInstallation(input);
  const { accounts } = installation;
  const found = await accounts.byEmail(normalizeEmail(email));
  if (found === null) {
    throw new StartError(
      `There is no account ${email}; \`sightline user list\` shows all accounts.`,
    );
  }
  const deps = { accounts, passwords: new PasswordHasher() };
  return await changeUser(deps, { id: found.id, actor: COMMAND }, changes);
}
