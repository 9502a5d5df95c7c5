import { changeAccountOf } from '../change-account-of.ts';
import type { Command } from '../command.ts';

export const userDisable: Command = {
  options: {},
  operands: ['EMAIL'],
  async run(input) {
    const account = await changeAccountOf(input, { isDisabled: true });
    input.note(`${account.email} is disabled.`);
  },
};
