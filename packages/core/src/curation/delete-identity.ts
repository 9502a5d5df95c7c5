import type { Database, Transaction } from '../database/database.ts';
import { identityDeleted } from '../events/identity-events.ts';
import { discardFiles } from '../media/discard-files.ts';
import type { MediaStore } from '../media/media-store.ts';
import { NotFound } from '../store/not-found.ts';
import type { Scope } from '../store/scope.ts';
import { startDeletion } from './finish-merge.ts';
import { removeDetections } from './remove-detections.ts';

/** The number of rows that one transaction deletes. Other writers wait for one such transaction. */
const CHUNK = 500;

export interface DeleteIdentityDeps {
  readonly database: Database;
  readonly media: Pick<MediaStore, 'remove'>;
}

interface IdentityToDelete {
  readonly scope: Scope;
  readonly id: number;
}

/**
 * Deletes an identity with all its detections, their crops and references, and the source images that have no detection
 * left. Many rows are deleted in several transactions, between which other requests can write. After the first
 * transaction, readers do not find the identity and its detections anymore, and an abort has no effect. Only images count
 * the detections until the step that deletes them. After a crash, {@link finishDeletion} deletes the rest.
 *
 * @throws NotFound, StoreUnavailable
 */
export async function deleteIdentity(
  deps: DeleteIdentityDeps,
  { scope, id }: IdentityToDelete,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  const first = await startDeletion(
    deps,
    {
      scope,
      id,
      locks: [{ entity: 'identity', id, mode: 'exclusive' }],
      begin: (tx) => removeFirst(tx, id),
    },
    options.signal,
  );
  await discardFiles(deps.media, first.files);
  if (!first.ended) await finishDeletion(deps, { scope, id });
}

/**
 * Deletes the rest of an identity whose deletion has started. Several processes may do this at the same time.
 *
 * @throws StoreUnavailable; the signal's reason on abort
 */
export async function finishDeletion(
  deps: DeleteIdentityDeps,
  { scope, id }: IdentityToDelete,
  signal?: AbortSignal,
): Promise<void> {
  for (let ended = false; !ended;) {
    const step = await deps.database.withEntities(
      { ...scope, locks: [{ entity: 'environment' }] },
      async (tx) => {
        const deletion = await tx.identities.continueDeletion(id);
        return deletion?.mergedInto === null ? removeChunk(tx, id) : { ended: true, files: [] };
      },
      signal,
    );
    await discardFiles(deps.media, step.files);
    ended = step.ended;
  }
}

interface Step {
  readonly ended: boolean;
  readonly files: readonly string[];
}

/**
 * Removes the first rows of an identity, and marks the identity as deleting if rows are left.
 *
 * @throws NotFound
 */
async function removeFirst(tx: Transaction, id: number): Promise<Step> {
  if ((await tx.identities.byId(id)) === null) throw new NotFound('identity', id);
  await tx.audit({ entity: 'identity', action: 'delete', ids: [id] });
  const step = await removeChunk(tx, id);
  if (!step.ended) await tx.identities.markDeleting(id);
  return step;
}

/**
 * Removes suggestions and rejections before detections. While they exist, each count of faces with suggestions has to
 * check all faces that they concern.
 */
async function removeChunk(tx: Transaction, id: number): Promise<Step> {
  const room = CHUNK - (await tx.identities.forget(id, CHUNK));
  const detections = room > 0 ? await tx.detections.ofIdentity(id, room) : [];
  const { files } = await removeDetections(tx, detections, id);
  const ended = detections.length < room;
  if (ended) {
    await tx.emit(identityDeleted(id));
    await tx.identities.delete(id);
  }
  return { ended, files };
}
