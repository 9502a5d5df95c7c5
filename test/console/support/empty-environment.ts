import { ok } from '../../support/services/ok.ts';
import type { Curator } from './curator.ts';

/** Deletes all images and identities, so that the tests of a suite can share an account, which is slow to create. */
export async function emptyEnvironment({ client }: Curator): Promise<void> {
  const query = { purge: true };
  const { ids } = ok(await client.listImageIds());
  for (const id of ids) await client.deleteImage({ path: { id }, query });
  const { items } = ok(await client.listIdentities());
  for (const { id } of items) await client.deleteIdentity({ path: { id }, query });
}
