import { makePassword } from '@sightline/core/accounts/manage-accounts';
import { changeAccountOf } from '../change-account-of.ts';
import type { Command } from '../command.ts';

/** `sightline user reset-password`: prints only the password to stdout, so that a pipe can pass the password on. */
export const userResetPassword: Command = {
  options: {},
  operands: ['EMAIL'],
  async run(input) {
    const password = makePassword();
    const account = await changeAccountOf(input, { isDisabled: false, password });
    input.note(
      `${account.email} has this password, which has to be changed after the next sign-in:`,
    );
    input.print(password);
  },
};
