import { setTimeout as delay } from 'node:timers/promises';
import type { DatabaseSettings } from '@sightline/platform/config/read-database-settings';
import { requireSchema } from '@sightline/postgres/require-schema';
import { SchemaBehind } from '@sightline/postgres/schema-mismatch';
import { isUnavailable } from '../is-unavailable.ts';
import { connectionOf } from './connection-of.ts';
import { withSchemaErrors } from './with-schema-errors.ts';

const LOOK_MS = 1_000;

/**
 * Waits until the database has the schema that this release needs, for example because a migration is running or the
 * server has not started yet. There is no timeout.
 *
 * @param waiting called with a sentence whenever the reason for waiting changes
 * @throws StartError if waiting cannot help, for example if the schema belongs to a newer release; the signal's reason
 *   on abort
 */
export async function awaitSchema(
  settings: DatabaseSettings,
  { signal, waiting }: { readonly signal: AbortSignal; readonly waiting: (why: string) => void },
): Promise<void> {
  const connection = connectionOf(settings);
  for (let said: string | null = null; ;) {
    const missing = await withSchemaErrors(() => whatIsMissing(() => requireSchema(connection)));
    if (missing === null) return;
    if (missing !== said) waiting(`Waiting: ${missing}`);
    said = missing;
    await delay(LOOK_MS, undefined, { signal });
  }
}

/**
 * @returns the reason to wait; null if the schema is usable
 * @throws errors that waiting cannot fix
 */
async function whatIsMissing(look: () => Promise<void>): Promise<string | null> {
  try {
    await look();
    return null;
  } catch (error) {
    if (error instanceof SchemaBehind || isUnavailable(error)) return (error as Error).message;
    throw error;
  }
}
