import {
  type DeliveryDetails,
  getDeliveryContract,
} from '@sightline/contracts/webhooks/get-delivery-contract';
import { NotFound } from '@sightline/core/store/not-found';
import type { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { presentDelivery } from './present-delivery.ts';

type Body = z.input<typeof DeliveryDetails>['body'];

export const getDeliveryRoute = defineRoute(getDeliveryContract, {
  async handler({ database }, { path, scope, signal }) {
    const { id, delivery_id: deliveryId } = path;
    const message = await database.withScope(
      scope,
      ({ webhooks }) => webhooks.message(id, deliveryId),
      signal,
    );
    if (message === null) throw new NotFound('delivery', deliveryId);
    const { delivery, body } = message;
    return { status: 200, body: { ...presentDelivery(delivery), body: body && parse(body) } };
  },
});

function parse(body: Uint8Array): Body {
  return JSON.parse(new TextDecoder().decode(body)) as Body;
}
