import type { Database, Settle, Transaction } from '../database/database.ts';
import { discardFiles } from '../media/discard-files.ts';
import type { MediaStore } from '../media/media-store.ts';
import { NotFound } from '../store/not-found.ts';
import type { Scope } from '../store/scope.ts';
import { filesOfSource, removeDetections } from './remove-detections.ts';

export interface DeleteSourceDeps {
  readonly database: Database;
  readonly media: Pick<MediaStore, 'remove'>;
}

export interface DeletedSource {
  readonly detectionsDeleted: number;
  readonly cropsRemoved: number;
}

/**
 * Deletes a source image with everything that was detected in it.
 *
 * @throws NotFound, StoreUnavailable
 */
export async function deleteSource(
  deps: DeleteSourceDeps,
  request: { readonly scope: Scope; readonly id: number },
  options: { readonly signal?: AbortSignal; readonly settle?: Settle<DeletedSource> } = {},
): Promise<DeletedSource> {
  const { result, files } = await deps.database.withEntities(
    { ...request.scope, locks: [] },
    async (tx) => {
      const { detections, files } = await removeSource(tx, request.id);
      const result = { detectionsDeleted: detections, cropsRemoved: detections };
      await options.settle?.(tx, result);
      return { result, files };
    },
    options.signal,
  );
  await discardFiles(deps.media, files);
  return result;
}

async function removeSource(
  tx: Transaction,
  id: number,
): Promise<{ readonly detections: number; readonly files: readonly string[] }> {
  const source = await tx.sources.byId(id);
  if (source === null) throw new NotFound('image', id);
  tx.require({ entity: 'source', digest: source.digest });
  await tx.audit({ entity: 'image', action: 'delete', ids: [id] });
  const detections = [
    ...(await tx.detections.ofSource(id)),
    ...(await tx.detections.deletingOfSource(id)),
  ];
  if (detections.length > 0) {
    const { files } = await removeDetections(tx, detections);
    return { detections: detections.length, files };
  }
  const renditions = await tx.sources.delete([source]);
  const files = await tx.operations.discardable(filesOfSource(source));
  return { detections: 0, files: [...files, ...renditions] };
}
