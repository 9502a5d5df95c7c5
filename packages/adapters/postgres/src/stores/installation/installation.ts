import type {
  Installation,
  InstallationStore,
} from '@sightline/core/installation/installation-store';
import type { Doors } from '../../doors/doors.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { installation } from '../../schema/installation.ts';

export function installationStore(doors: Doors): InstallationStore {
  return {
    async read(signal) {
      return doors.onPlatform('installation', readInstallation, signal);
    },

    async replace(before, after) {
      return doors.withPlatform('installation', async (session) => {
        // Postgres serializes concurrent updates of the row. Each compares with the value that the previous update
        // wrote.
        await session.query(
          `UPDATE installation SET id = $4, media_kind = $5, media_location = $6
           WHERE (id, media_kind, media_location) IS NOT DISTINCT FROM ($1::uuid, $2::text, $3::text)`,
          [...columnsOf(before), ...columnsOf(after)],
        );
        return readInstallation(session);
      });
    },

    async claimSecretKey(checks) {
      const [claimed] = await doors.onPlatform('installation', (session) =>
        session.query<{ isOurs: boolean }>(
          `UPDATE installation SET secret_key_check = coalesce(secret_key_check, ($1::bytea[])[1])
           RETURNING secret_key_check = ANY ($1) AS "isOurs"`,
          [checks],
        ),
      );
      return claimed!.isOurs;
    },

    async replaceSecretKey(check) {
      await doors.onPlatform('installation', (session) =>
        session.query('UPDATE installation SET secret_key_check = $1', [check]),
      );
    },

    async services(signal) {
      const found = await doors.onPlatform(
        'installation',
        (session) => session.query<{ readonly name: string }>(SERVICES),
        signal,
      );
      return found.map(({ name }) => name);
    },
  };
}

/** The names of connected processes, taken from the beginning of their application names. */
const SERVICES = `
  SELECT DISTINCT substring(application_name FROM '^sightline(?: (?:api|worker|projector|dispatcher|relay|start))?') AS name
  FROM pg_stat_activity
  WHERE datname = current_database()
    AND application_name ~ '^sightline( |$)'
    AND application_name !~ '^sightline (command|migrate)( |$)'
  ORDER BY name`;

async function readInstallation({ db }: TransactionSession): Promise<Installation> {
  const [row] = await db.select().from(installation);
  const { id, mediaKind: kind, mediaLocation: location } = row!;
  return { id, media: kind === null ? null : { kind, location: location! } };
}

function columnsOf({ id, media }: Installation): readonly (string | null)[] {
  return [id, media?.kind ?? null, media?.location ?? null];
}
