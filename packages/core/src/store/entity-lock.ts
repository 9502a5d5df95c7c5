import type { DetectionType } from '../detection-type.ts';

/**
 * A lock that keeps other transactions from changing an entity until the transaction ends.
 * - `environment`: everything of the environment, instead of the single entities; for writes that
 *   touch more than 500 of them.
 * - `source`: the source image with these bytes, stored or about to be.
 * - `label`: the identity of this type and label, stored or about to be.
 * - `identity`: shared where something is added to it; exclusive where it is changed, where
 *   something is taken from it, and where its mean changes.
 * - `detection`: exclusive.
 * - `model`: shared, of every environment; it stays the active one, if it is. Comes before all others.
 */
export type EntityLock =
  | { readonly entity: 'environment' }
  | { readonly entity: 'source'; readonly digest: string }
  | { readonly entity: 'label'; readonly type: DetectionType; readonly label: string }
  | { readonly entity: 'identity'; readonly id: number; readonly mode: 'shared' | 'exclusive' }
  | { readonly entity: 'detection'; readonly id: number }
  | { readonly entity: 'model'; readonly id: number };
