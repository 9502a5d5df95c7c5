import { sendDeliveryContract } from '@sightline/contracts/webhooks/send-delivery-contract';
import { sendDelivery } from '@sightline/core/administration/send-delivery';
import type { DeliveredMessage } from '@sightline/core/webhooks/webhook-store';
import { defineRoute } from '../../http/define-route.ts';

export const sendDeliveryRoute = defineRoute(sendDeliveryContract, {
  async handler(context, request) {
    const { path, scope, signal } = request;
    const { id, delivery_id: deliveryId } = path;
    const settle = request.settle(answerWith);
    return answerWith(await sendDelivery(context, { scope, id, deliveryId }, { signal, settle }));
  },
});

function answerWith({ delivery: { eventId, event } }: DeliveredMessage) {
  return { status: 202, body: { event_id: eventId, event } } as const;
}
