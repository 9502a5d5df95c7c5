import { changeWebhookContract } from '@sightline/contracts/webhooks/change-webhook-contract';
import { changeWebhook } from '@sightline/core/administration/change-webhook';
import { defineRoute } from '../../http/define-route.ts';
import { presentWebhook } from './present-webhook.ts';

export const changeWebhookRoute = defineRoute(changeWebhookContract, {
  async handler(context, { path, body, scope, signal }) {
    const { url, events, is_active: isActive, label, secret } = body.fields;
    const changes = {
      ...(url && { url }),
      ...(events && { events }),
      ...(typeof isActive === 'boolean' && { isActive }),
      ...(label !== undefined && { label }),
      ...(secret !== undefined && { secret }),
    };
    const webhook = await changeWebhook(context, { scope, id: path.id, changes }, { signal });
    return { status: 200, body: presentWebhook(webhook) };
  },
});
