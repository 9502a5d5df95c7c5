import type { Account } from '@sightline/core/accounts/account';
import type { Command } from '../command.ts';
import { openInstallation } from '../open-installation.ts';
import { textTable } from '../text-table.ts';

export const userList: Command = {
  options: { json: { type: 'boolean', default: false } },
  operands: [],
  async run(input) {
    const { options, print } = input;
    await using installation = await openInstallation(input);
    const accounts = await installation.accounts.list();
    if (options.json === true) print(JSON.stringify(accounts));
    else for (const line of tableOf(accounts)) print(line);
  },
};

function tableOf(accounts: readonly Account[]): string[] {
  const rows = accounts.map(({ email, name, isAdmin, isDisabled, createdAt }) => [
    email,
    name,
    isAdmin ? 'administrator' : 'user',
    createdAt.toISOString().slice(0, 10),
    isDisabled ? 'disabled' : 'active',
  ]);
  return textTable([['email', 'name', 'kind', 'created', 'state'], ...rows]);
}
