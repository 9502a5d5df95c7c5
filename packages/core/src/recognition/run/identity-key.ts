import type { Identity } from '../../identities/identity.ts';

/** The key of an identity that is known by type and label. */
export function identityKey({ type, label }: Pick<Identity, 'type' | 'label'>): string {
  return `${type} ${label}`;
}
