import { listDeliveriesContract } from '@sightline/contracts/webhooks/list-deliveries-contract';
import { NotFound } from '@sightline/core/store/not-found';
import { SHOWN_DELIVERIES } from '@sightline/core/webhooks/webhook';
import { defineRoute } from '../../http/define-route.ts';
import { presentDelivery } from './present-delivery.ts';

export const listDeliveriesRoute = defineRoute(listDeliveriesContract, {
  async handler({ database }, { path: { id }, scope, signal }) {
    const deliveries = await database.withScope(
      scope,
      async ({ webhooks }) => {
        if ((await webhooks.byId(id)) === null) throw new NotFound('webhook', id);
        return webhooks.deliveries(id, SHOWN_DELIVERIES);
      },
      signal,
    );
    return { status: 200, body: { items: deliveries.map(presentDelivery) } };
  },
});
