import { StartError } from '@sightline/platform/lifecycle/start-error';
import { connectionOf } from '@sightline/composition/database/database-name';
import { migrate as migrateDatabase, type Migrated } from '@sightline/postgres/migrate';
import { SchemaMismatch } from '@sightline/postgres/schema-mismatch';
import type { Command } from '../command.ts';

/** `sightline migrate`: for an external database, before its processes start. */
export const migrate: Command = {
  options: {},
  operands: [],
  async run({ stores, print }) {
    const { database: settings } = stores();
    if (settings === null) {
      throw new StartError(
        'SIGHTLINE_DATABASE_URL is not set. The database of a data folder is brought up to date by each start.',
      );
    }
    try {
      for (const line of linesOf(await migrateDatabase(connectionOf(settings)))) print(line);
    } catch (error) {
      if (!(error instanceof SchemaMismatch)) throw error;
      throw new StartError(error.message, { cause: error });
    }
  },
};

function linesOf({ applied, passwords }: Migrated): readonly string[] {
  return [
    ...applied.map((name) => `applied ${name}`),
    ...passwords.map((role) => `set the password of ${role}`),
    applied.length === 0 ? 'The schema was up to date.' : 'The schema is up to date.',
  ];
}
