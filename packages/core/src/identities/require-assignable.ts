import type { DetectionType } from '../detection-type.ts';
import { NotFound } from '../store/not-found.ts';
import type { Identity } from './identity.ts';
import { TypeMismatch } from './identity-errors.ts';

/**
 * Requires that an identity, which the client named by id, exists and fits a detection of this type.
 *
 * @param identity null if no identity has the id
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
