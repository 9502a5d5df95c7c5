import type { Database } from '../database/database.ts';
import { discardFiles } from '../media/discard-files.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { Scope } from '../store/scope.ts';

/**
 * Deletes a job that has ended, with its results.
 *
 * @throws NotFound, JobUnfinished, StoreUnavailable
 */
export async function deleteJob(
  deps: { readonly database: Database; readonly media: Pick<MediaStore, 'remove'> },
  { scope, id }: { readonly scope: Scope; readonly id: number },
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  const { files } = await deps.database.withEntities(
    { ...scope, locks: [] },
    async (tx) => {
      await tx.audit({ entity: 'job', action: 'delete', ids: [id] });
      return tx.jobs.remove(id);
    },
    options.signal,
  );
  await discardFiles(deps.media, files);
}
