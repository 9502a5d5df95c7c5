import type { Database, Transaction } from '../database/database.ts';
import { coverChanged } from '../events/identity-events.ts';
import { NotOfIdentity } from '../identities/identity-errors.ts';
import { NotFound } from '../store/not-found.ts';
import type { Scope } from '../store/scope.ts';

export interface CoverRequest {
  readonly scope: Scope;
  readonly id: number;
  /** A detection of the identity; with null, the identity's newest confirmed detection is shown. */
  readonly detectionId: number | null;
}

/**
 * Sets the detection by which an identity is shown. Setting the same detection again changes nothing.
 *
 * @throws NotFound for the identity or the detection; NotOfIdentity, StoreUnavailable
 */
export async function setIdentityCover(
  deps: { readonly database: Database },
  { scope, id, detectionId }: CoverRequest,
  options: { readonly signal?: AbortSignal } = {},
): Promise<void> {
  // The lock of the identity prevents other transactions from assigning the detection to another identity.
  await deps.database.withEntities(
    { ...scope, locks: [{ entity: 'identity', id, mode: 'exclusive' }] },
    async (tx) => {
      const identity = await tx.identities.byId(id);
      if (identity === null) throw new NotFound('identity', id);
      if (detectionId !== null) await requireOwn(tx, { id, detectionId });
      if (identity.coverDetectionId === detectionId) return;
      await tx.identities.setCover(id, detectionId);
      await tx.emit(coverChanged(id, detectionId));
      const details = { detection_id: detectionId };
      await tx.audit({ entity: 'identity', action: 'set_cover', ids: [id], details });
    },
    options.signal,
  );
}

/** @throws NotFound, NotOfIdentity */
async function requireOwn(
  tx: Transaction,
  { id, detectionId }: { readonly id: number; readonly detectionId: number },
): Promise<void> {
  const detection = await tx.detections.byId(detectionId);
  if (detection === null) throw new NotFound('detection', detectionId);
  if (detection.identityId !== id) throw new NotOfIdentity(detectionId, id);
}
