import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { integer } from '../numeric.ts';
import { timestamp } from '../timestamp.ts';
import { Delivery } from './list-deliveries-contract.ts';

export const deliveryPath = z.object({ id: integer(), delivery_id: integer() });

export const DeliveryDetails = Delivery.extend({
  body: z
    .object({
      event: z.string(),
      data: z.record(z.string(), z.unknown()),
      id: z.uuid(),
      created_at: timestamp,
    })
    .nullable()
    .describe(
      'The message that was sent, made from its event; null if the event is no longer stored, which is a day after it was delivered.',
    ),
}).meta({ id: 'DeliveryDetails' });

export const getDeliveryContract = defineContract({
  method: 'GET',
  path: '/api/webhooks/{id}/deliveries/{delivery_id}',
  right: 'owner',
  tag: 'Webhooks',
  summary: 'Get an attempt to reach a webhook, with the message',
  request: { path: deliveryPath },
  responses: { 200: jsonResponse('The attempt and its message.', DeliveryDetails) },
  problems: ['not_found'],
});
