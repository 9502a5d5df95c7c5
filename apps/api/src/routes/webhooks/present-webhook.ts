import type { EventName } from '@sightline/contracts/webhooks/webhook';
import type { Webhook } from '@sightline/core/webhooks/webhook';
import type { z } from 'zod';

export function presentWebhook(webhook: Webhook) {
  return {
    id: webhook.id,
    url: webhook.url,
    events: webhook.events as z.infer<typeof EventName>[],
    label: webhook.label,
    is_active: webhook.isActive,
    has_secret: webhook.hasSecret,
    disabled_reason: webhook.disabledReason,
    created_at: webhook.createdAt.toISOString(),
  };
}
