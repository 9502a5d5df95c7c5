import type { DetectionType } from '../detection-type.ts';

/**
 * A lock that keeps other transactions from changing an entity until the transaction ends.
 *
 * - `environment`: everything of the environment, instead of the single entities; for writes that
 *   touch more than 500 of them.
 * - `source`: the source image with these bytes, stored or about to be.
 * - `label`: the identity of this type and label, stored or about to be.
 * - `identity`: shared to add something to it; exclusive to change it, to take something from it,
 *   or to change its mean.
 * - `detection`: exclusive.
 * - `model`: shared, for all environments; an active model stays active. It is taken before all
 *   other locks.
 */
export type EntityLock =
  | { readonly entity: 'environment' }
  | { readonly entity: 'source'; readonly digest: string }
  | { readonly entity: 'label'; readonly type: DetectionType; readonly label: string }
  | { readonly entity: 'identity'; readonly id: number; readonly mode: 'shared' | 'exclusive' }
  | { readonly entity: 'detection'; readonly id: number }
  | { readonly entity: 'model'; readonly id: number };
