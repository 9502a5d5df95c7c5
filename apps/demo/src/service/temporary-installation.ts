import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeDatabase } from '@sightline/embedded-postgres/remove-database';

/**
 * A data folder for one run. Disposal removes it together with a database server that outlived the
 * service, and with the database, which lies outside the folder if root runs the demo.
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
