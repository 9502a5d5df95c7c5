import type { MemberEnvironment } from '@sightline/core/accounts/environment-store';

export function presentEnvironment({ id, name, role, createdAt }: MemberEnvironment) {
  return { id, name, role, created_at: createdAt.toISOString() };
}
