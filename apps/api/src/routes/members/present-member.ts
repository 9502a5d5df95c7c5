import type { Member } from '@sightline/core/accounts/member-store';

export function presentMember({ accountId, email, name, role, since }: Member) {
  return { account_id: accountId, email, name, role, since: since.toISOString() };
}
