import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDatabase } from '@sightline/embedded-postgres/remove-database';

/**
 * A data folder that goes when it is disposed of, with all that belongs to it: the database that
 * stands elsewhere where root's folders are closed to it, and a server that outlived its service.
 *
 * @param database the folder in it that has the database
 */
export async function temporaryData(
  database = 'postgres',
): Promise<AsyncDisposable & { readonly path: string }> {
  const parent = await mkdtemp(join(tmpdir(), 'sightline-data-'));
  const path = join(parent, 'data');
  return {
    path,
    async [Symbol.asyncDispose]() {
      await removeDatabase(join(path, database));
      await rm(parent, { recursive: true, force: true });
    },
  };
}
