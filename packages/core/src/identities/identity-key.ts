import type { Identity } from './identity.ts';

/** The key of an identity that is known by type and label. */
export function identityKey({ type, label }: Pick<Identity, 'type' | 'label'>): string {
  return `${type} ${label}`;
}
