import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placeOf } from '@sightline/postgres-embedded/postgres-home';
import { stopServer } from '@sightline/postgres-embedded/stop-server';

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
      const folder = join(path, 'postgres');
      const place = await placeOf(folder);
      await stopServer(place);
      if (place !== folder) await rm(place, { recursive: true, force: true });
      await rm(parent, { recursive: true, force: true });
    },
  };
}
