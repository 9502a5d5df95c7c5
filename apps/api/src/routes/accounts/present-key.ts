import type { ApiKeyRecord } from '@sightline/core/api-keys/key-store';

export function presentKey(key: ApiKeyRecord) {
  const { createdBy } = key;
  return {
    id: key.id,
    label: key.label,
    type: key.right,
    environment_id: key.environmentId,
    prefix: key.prefix,
    expires_at: key.expiresAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    created_at: key.createdAt.toISOString(),
    created_by: createdBy && { account_id: createdBy.accountId, name: createdBy.name },
  };
}
