import type {
  Installation,
  InstallationStore,
  MediaPlace,
} from '@sightline/core/installation/installation-store';
import type { Doors } from '../doors/doors.ts';
import type { TransactionSession } from '../doors/transaction-session.ts';

interface Row {
  readonly id: string;
  readonly kind: MediaPlace['kind'] | null;
  readonly place: string | null;
}

export class PostgresInstallationStore implements InstallationStore {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  async read(signal?: AbortSignal): Promise<Installation> {
    return this.#doors.withPlatform('installation', readInstallation, signal);
  }

  async replace(before: Installation, after: Installation): Promise<Installation> {
    return this.#doors.withPlatform('installation', async (session) => {
      // Of several at once, each compares with what the one before it has left.
      await session.query(
        `UPDATE installation SET id = $4, media_kind = $5, media_place = $6
         WHERE (id, media_kind, media_place) IS NOT DISTINCT FROM ($1::uuid, $2::text, $3::text)`,
        [...columnsOf(before), ...columnsOf(after)],
      );
      return readInstallation(session);
    });
  }

  async services(signal?: AbortSignal): Promise<readonly string[]> {
    const found = await this.#doors.onPlatform<{ readonly name: string }>(
      'installation',
      { text: SERVICES },
      signal,
    );
    return found.map(({ name }) => name);
  }
}

/** By what connections are called; what they are used for may follow. */
const SERVICES = `
  SELECT DISTINCT substring(application_name FROM '^sightline(?: (?:api|worker|start))?') AS name
  FROM pg_stat_activity
  WHERE datname = current_database()
    AND application_name ~ '^sightline( |$)'
    AND application_name !~ '^sightline (command|migrate)( |$)'
  ORDER BY name`;

async function readInstallation(session: TransactionSession): Promise<Installation> {
  const [row] = await session.query<Row>(
    'SELECT id, media_kind AS kind, media_place AS place FROM installation',
  );
  const { id, kind, place } = row!;
  return { id, media: kind === null ? null : { kind, place: place! } };
}

function columnsOf({ id, media }: Installation): readonly (string | null)[] {
  return [id, media?.kind ?? null, media?.place ?? null];
}
