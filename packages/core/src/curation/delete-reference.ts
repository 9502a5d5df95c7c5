import type { Database } from '../database/database.ts';
import { embeddingRemoved } from '../events/identity-events.ts';
import { NotFound } from '../store/not-found.ts';
import type { Scope } from '../store/scope.ts';

/**
 * Removes one reference. The face keeps its identity, its review status and its vector.
 *
 * @throws NotFound, StoreUnavailable
 */
export async function deleteReference(
  deps: { readonly database: Database },
  { scope, id }: { readonly scope: Scope; readonly id: number },
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  await deps.database.withEntities(
    { ...scope, locks: [] },
    async (tx) => {
      const found = await tx.references.byId(id);
      const source = found && (await tx.sources.byId(found.sourceImageId));
      if (found === null || source === null) throw new NotFound('face embedding', id);
      const { identityId, modelId, detectionId } = found;
      tx.require(
        { entity: 'source', digest: source.digest },
        { entity: 'identity', id: identityId, mode: 'exclusive' },
      );
      const reference = { id, identityId, modelId, detectionId };
      await tx.references.revoke([reference]);
      await tx.emit(embeddingRemoved(reference));
      const details = { detection_id: detectionId, identity_id: identityId };
      await tx.audit({ entity: 'face_embedding', action: 'delete', ids: [id], details });
    },
    options.signal,
  );
}
