import { listWebhooksContract } from '@sightline/contracts/webhooks/list-webhooks-contract';
import { answerList, byId } from '../../http/answer-list.ts';
import { defineRoute } from '../../http/define-route.ts';
import { presentWebhook } from './present-webhook.ts';

export const listWebhooksRoute = defineRoute(listWebhooksContract, {
  handler: (context, request) =>
    answerList(context, request, {
      order: byId('webhooks'),
      read: ({ webhooks }, before, limit) => webhooks.list({ before, limit }),
      present: presentWebhook,
    }),
});
