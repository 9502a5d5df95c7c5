import type { Identity } from './identity.ts';

/** A key for maps of identities by type and label. */
export function identityKey({ type, label }: Pick<Identity, 'type' | 'label'>): string {
  return `${type} ${label}`;
}
