import { resolve } from 'node:path';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { POSTGRES_MAJOR } from '@sightline/embedded-postgres/ensure-cluster';
import type { Command } from '../command.ts';
import { restoreDataFolder } from '../backup/restore-data-folder.ts';

export const restore: Command = {
  options: {},
  operands: ['BACKUP'],
  async run({ operands: [from], data, version, note, stores }) {
    if (stores().database !== null) {
      throw new StartError(
        'A backup contains the database of a data folder, but SIGHTLINE_DATABASE_URL names another one: unset it to restore the backup.',
      );
    }
    await restoreDataFolder({
      from: from!,
      data,
      version: { product: version, postgres: POSTGRES_MAJOR },
    });
    note(`The backup was restored to ${resolve(data)}.`);
  },
};
