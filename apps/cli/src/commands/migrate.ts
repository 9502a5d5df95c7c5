import { StartError } from '@sightline/platform/lifecycle/start-error';
import { ownerConnectionOf } from '@sightline/composition/database/connection-of';
import { withSchemaErrors } from '@sightline/composition/database/with-schema-errors';
import { migrate as migrateDatabase, type Migrated } from '@sightline/postgres/migrate';
import type { Command } from '../command.ts';

/** `sightline migrate`: for an external database, before its processes start. */
export const migrate: Command = {
  options: {},
  operands: [],
  async run({ stores, databaseOwner, print }) {
    const [{ database: service }, owner] = [stores(), databaseOwner()];
    if (service === null) {
      throw new StartError(
        'SIGHTLINE_DATABASE_URL is not set. The database of a data folder is brought up to date by each start.',
      );
    }
    if (owner === null) {
      throw new StartError(
        'SIGHTLINE_DATABASE_OWNER_URL is not set: it names the database with a login that owns it.',
      );
    }
    const connection = ownerConnectionOf(owner, service);
    const migrated = await withSchemaErrors(() => migrateDatabase(connection));
    for (const line of linesOf(migrated)) print(line);
  },
};

function linesOf({ applied, passwords }: Migrated): readonly string[] {
  return [
    ...applied.map((name) => `applied ${name}`),
    ...passwords.map((role) => `set the password of ${role}`),
    applied.length === 0 ? 'The schema was up to date.' : 'The schema is up to date.',
  ];
}
