import type { Invitation } from '@sightline/core/accounts/invitation-store';

export function presentInvitation({ id, email, role, expiresAt }: Invitation) {
  return { id, email, role, expires_at: expiresAt.toISOString() };
}
