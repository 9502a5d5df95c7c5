import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDatabase } from '@sightline/embedded-postgres/remove-database';

/**
 * A data folder for one run. When it is disposed of, it goes with all that belongs to it: a database
 * server that outlived its service, and the database that stands elsewhere where root runs this.
 */
export async function temporaryInstallation(): Promise<
  AsyncDisposable & { readonly path: string }
> {
  const parent = await mkdtemp(join(tmpdir(), 'sightline-demo-'));
  const path = join(parent, 'data');
  return {
    path,
    async [Symbol.asyncDispose]() {
      await removeDatabase(join(path, 'postgres'));
      await rm(parent, { recursive: true, force: true });
    },
  };
}
