import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDatabase } from '@sightline/embedded-postgres/remove-database';

/**
 * Creates a data folder for one run. Disposal removes the folder and the database, which lies outside the folder if
 * root runs the demo. Disposal also stops a database server that outlived the service.
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
