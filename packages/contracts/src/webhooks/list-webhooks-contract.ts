import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { optionalPage, pageOf } from '../pagination.ts';
import { Webhook } from './webhook.ts';

export const Webhooks = pageOf(Webhook).meta({ id: 'Webhooks' });

export const listWebhooksContract = defineContract({
  method: 'GET',
  path: '/api/webhooks',
  right: 'owner',
  tag: 'Webhooks',
  summary: 'List webhooks, newest first',
  request: { query: z.object(optionalPage) },
  responses: { 200: jsonResponse('The webhooks.', Webhooks) },
  problems: [],
});
