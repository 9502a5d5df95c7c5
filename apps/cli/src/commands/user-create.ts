import { EMAIL } from '@sightline/core/accounts/account';
import { COMMAND } from '@sightline/core/store/actor';
import { createUser } from '@sightline/core/accounts/manage-accounts';
import { PasswordHasher } from '@sightline/core/accounts/password-hasher';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Command } from '../command.ts';
import { openInstallation } from '../open-installation.ts';

/** `sightline user create`: prints only the password to stdout, so that a pipe can pass the password on. */
export const userCreate: Command = {
  options: {
    name: { type: 'string' },
    admin: { type: 'boolean', default: false },
  },
  operands: ['EMAIL'],
  async run(input) {
    const { options, operands, print, note } = input;
    const [email = ''] = operands;
    if (!EMAIL.test(email)) throw new StartError(`"${email}" is not an e-mail address.`);
    await using installation = await openInstallation(input);
    if (options.admin !== true && !(await installation.accounts.areThere())) {
      throw new StartError('The first account has to be an administrator: add --admin.');
    }
    const name = options.name === undefined ? undefined : String(options.name);
    const { account, password } = await createUser(
      { accounts: installation.accounts, passwords: new PasswordHasher() },
      { email, name, isAdmin: options.admin === true },
      COMMAND,
    );
    note(`${account.email} has this password, which has to be changed after the first sign-in:`);
    print(password!);
  },
};
