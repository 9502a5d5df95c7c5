import { COMMAND } from '@sightline/core/store/actor';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Command } from '../command.ts';
import { openInstallation } from '../open-installation.ts';

export const keyRevoke: Command = {
  options: {},
  operands: ['ID'],
  async run(input) {
    const { operands, note } = input;
    const [text = ''] = operands;
    const id = /^\d{1,15}$/.test(text) ? Number(text) : null;
    if (id === null)
      throw new StartError(
        `"${text}" is not the id of a key; \`sightline key list\` shows the ids.`,
      );
    await using installation = await openInstallation(input);
    if (!(await installation.keys.revoke(id, COMMAND))) {
      throw new StartError(`There is no key ${id}; \`sightline key list\` shows all keys.`);
    }
    note(`Key ${id} is revoked.`);
  },
};
