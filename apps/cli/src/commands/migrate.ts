import { StartError } from '@sightline/platform/lifecycle/start-error';
import { awaitDependency } from '@sightline/composition/await-dependency';
import { ownerConnectionOf } from '@sightline/composition/database/connection-of';
import { databaseName } from '@sightline/composition/database/database-name';
import { withSchemaErrors } from '@sightline/composition/database/with-schema-errors';
import { createLogger } from '@sightline/platform/logging/logger';
import { migrate as migrateDatabase, type Migrated } from '@sightline/postgres/migrate';
import type { Command } from '../command.ts';

/** `sightline migrate`: migrates an external database before the processes of a release start. */
export const migrate: Command = {
  options: {},
  operands: [],
  async run({ stores, databaseOwner, startTimeout, print, signal }) {
    const [{ database: service }, owner] = [stores(), databaseOwner()];
    if (service === null) {
      throw new StartError(
        'Set SIGHTLINE_DATABASE_URL to the URL of the database. Without it, the service uses the database of a data folder, which each start migrates.',
      );
    }
    if (owner === null) {
      throw new StartError(
        'Set SIGHTLINE_DATABASE_OWNER_URL to the URL of the database with the user who owns it.',
      );
    }
    const connection = ownerConnectionOf(owner, service);
    const what = databaseName(connection).replace(/^the/, 'The');
    const logger = createLogger({ level: 'warn', destination: process.stderr });
    const wait = { timeoutMs: startTimeout * 1_000, logger, signal };
    const migrated = await awaitDependency(what, wait, () =>
      withSchemaErrors(() => migrateDatabase(connection)),
    );
    for (const line of linesOf(migrated)) print(line);
  },
};

function linesOf({ applied, passwords, isNewer }: Migrated): readonly string[] {
  return [
    ...applied.map((name) => `applied ${name}`),
    ...passwords.map((role) => `set the password of ${role}`),
    outcome(applied, isNewer),
  ];
}

function outcome(applied: readonly string[], isNewer: boolean): string {
  if (isNewer) return 'The schema belongs to a newer, compatible release and stays as it is.';
  return applied.length === 0 ? 'The schema was up to date.' : 'The schema is up to date.';
}
