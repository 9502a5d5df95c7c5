import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { deliveryPath } from './get-delivery-contract.ts';

export const QueuedDelivery = z
  .object({
    event_id: z.uuid().describe('Id of the message, the same as before.'),
    event: z.string(),
  })
  .meta({ id: 'QueuedDelivery' });

export const sendDeliveryContract = defineContract({
  method: 'POST',
  path: '/api/webhooks/{id}/deliveries/{delivery_id}/send',
  right: 'owner',
  idempotent: true,
  tag: 'Webhooks',
  summary: 'Send the message of an attempt again',
  description:
    'The service sends the same message with the same event id within seconds, to the current URL of the webhook, and repeats it after failures like a new message. If the next attempt of this message is still to come, it is made now.',
  request: { path: deliveryPath },
  responses: { 202: jsonResponse('The message is queued.', QueuedDelivery) },
  problems: ['not_found', 'webhook_inactive', 'event_expired'],
});
