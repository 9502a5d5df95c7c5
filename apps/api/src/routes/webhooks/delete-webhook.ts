import { deleteWebhookContract } from '@sightline/contracts/webhooks/delete-webhook-contract';
import { defineRoute } from '../../http/define-route.ts';

export const deleteWebhookRoute = defineRoute(deleteWebhookContract, {
  async handler({ database }, { path, scope, signal }) {
    await database.withEntities(
      { ...scope, locks: [] },
      async (tx) => {
        await tx.webhooks.remove(path.id);
        await tx.audit({ entity: 'webhook', action: 'delete', ids: [path.id] });
      },
      signal,
    );
    return { status: 204, body: undefined };
  },
});
