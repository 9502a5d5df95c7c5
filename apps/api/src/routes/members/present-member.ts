import type { Member } from '@sightline/core/accounts/member-store';

export function presentMember({ accountId, emailVerified, since, ...member }: Member) {
  return {
    account_id: accountId,
    email_verified: emailVerified,
    since: since.toISOString(),
    email: member.email,
    name: member.name,
    role: member.role,
  };
}
