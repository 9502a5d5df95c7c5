import type { Database, Transaction } from '../database/database.ts';
import { identityDeleted } from '../events/identity-events.ts';
import { discardFiles } from '../media/discard-files.ts';
import type { MediaStore } from '../media/media-store.ts';
import type { EntityLock } from '../store/entity-lock.ts';
import { NotFound } from '../store/not-found.ts';
import type { Scope } from '../store/scope.ts';
import { removeDetections } from './remove-detections.ts';

/** Detections per transaction: other writers wait for a fraction of a second. */
const CHUNK = 500;

export interface DeleteIdentityDeps {
  readonly database: Database;
  readonly media: Pick<MediaStore, 'remove'>;
}

/**
 * Deletes an identity with all its detections, their crops and references, and the source images
 * that are left without any detection. Many detections are deleted in several transactions, between
 * which others can write; after an interruption the caller may repeat the call.
 *
 * @throws NotFound, StoreUnavailable
 */
export async function deleteIdentity(
  deps: DeleteIdentityDeps,
  request: { readonly scope: Scope; readonly id: number },
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  const { scope, id } = request;
  let lock: EntityLock = { entity: 'identity', id, mode: 'exclusive' };
  for (let ended = false; !ended; lock = { entity: 'environment' }) {
    const step = await deps.database.withEntities(
      { ...scope, locks: [lock] },
      (tx) => removeChunk(tx, id),
      options.signal,
    );
    await discardFiles(deps.media, step.files);
    ended = step.ended;
  }
}

async function removeChunk(
  tx: Transaction,
  id: number,
): Promise<{ readonly ended: boolean; readonly files: readonly string[] }> {
  if ((await tx.identities.byId(id)) === null) throw new NotFound('identity', id);
  const detections = await tx.detections.ofIdentity(id, CHUNK);
  const { files } = await removeDetections(tx, detections, id);
  const ended = detections.length < CHUNK;
  if (ended) {
    await tx.identities.delete(id);
    await tx.emit(identityDeleted(id));
  }
  return { ended, files };
}
