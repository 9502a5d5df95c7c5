import type { DetectionType } from '../detection-type.ts';

/**
 * A lock that prevents other transactions from changing an entity until the transaction ends.
 *
 * - `environment`: all entities of the environment, for a write that changes more than 500 entities.
 * - `source`: the source image with this digest, which may not exist yet.
 * - `label`: the identity with this type and label, which may not exist yet.
 * - `identity`: shared for adding faces to the identity; exclusive for changing the identity or the mean vector of
 *   its references, and for removing faces from it.
 * - `detection`: always exclusive.
 * - `models`: always shared, and valid for all environments. It keeps the active face model active, and is acquired
 *   before all other locks.
 */
export type EntityLock =
  | { readonly entity: 'environment' }
  | { readonly entity: 'source'; readonly digest: string }
  | { readonly entity: 'label'; readonly type: DetectionType; readonly label: string }
  | { readonly entity: 'identity'; readonly id: number; readonly mode: 'shared' | 'exclusive' }
  | { readonly entity: 'detection'; readonly id: number }
  | { readonly entity: 'models' };
