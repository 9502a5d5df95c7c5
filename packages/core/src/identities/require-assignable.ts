import type { DetectionType } from '../detection-type.ts';
import { NotFound } from '../store/not-found.ts';
import type { Identity } from './identity.ts';
import { TypeMismatch } from './identity-errors.ts';

/**
 * Refuses an identity that the caller has named by its id if a detection of this type cannot have it.
 *
 * @param identity null: there is none with the id
 * @throws NotFound, TypeMismatch
 */
export function requireAssignable(
  identity: Identity | null,
  { id, type }: Pick<Identity, 'id'> & { readonly type: DetectionType },
): Identity {
  if (identity === null) throw new NotFound('identity', id);
  if (identity.type !== type) throw new TypeMismatch(type, identity.type);
  return identity;
}
