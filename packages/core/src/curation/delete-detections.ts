import type { Database, Settle } from '../database/database.ts';
import { discardFiles } from '../media/discard-files.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { Scope } from '../store/scope.ts';
import { removeDetections } from './remove-detections.ts';

export interface DeletedDetections {
  /** The requested ids that existed, ascending. */
  readonly deleted: readonly number[];
  /** The ids of source images that were deleted because they have no detection left. */
  readonly discardedSources: readonly number[];
}

/**
 * Deletes detections with their crops, references and vectors. Unknown ids are ignored.
 *
 * @throws StoreUnavailable
 */
export async function deleteDetections(
  deps: { readonly database: Database; readonly media: Pick<MediaStore, 'remove'> },
  request: { readonly scope: Scope; readonly ids: readonly number[] },
  options: { readonly signal?: AbortSignal; readonly settle?: Settle<DeletedDetections> } = {},
): Promise<DeletedDetections> {
  const { result, files } = await deps.database.withEntities(
    { ...request.scope, locks: [] },
    async (tx) => {
      const detections = await tx.detections.byIds(request.ids);
      const removed = await removeDetections(tx, detections);
      const result = {
        deleted: detections.map(({ id }) => id),
        discardedSources: removed.discarded.map(({ id }) => id),
      };
      const { deleted: ids } = result;
      if (ids.length > 0) await tx.audit({ entity: 'detection', action: 'delete', ids });
      await options.settle?.(tx, result);
      return { result, files: removed.files };
    },
    options.signal,
  );
  await discardFiles(deps.media, files);
  return result;
}
