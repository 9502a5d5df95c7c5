import { awaitSchema } from '@sightline/composition/database/await-schema';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Command } from '../command.ts';

/** `sightline await-schema`: the processes of a release run this command to wait for the release's migration. */
export const awaitSchemaCommand: Command = {
  options: {},
  operands: [],
  async run({ stores, note, signal }) {
    const { database } = stores();
    if (database === null) {
      throw new StartError(
        'Set SIGHTLINE_DATABASE_URL to the URL of the database. Without it, the service uses the database of a data folder, which each start migrates.',
      );
    }
    await awaitSchema(database, { signal, waiting: note });
  },
};
