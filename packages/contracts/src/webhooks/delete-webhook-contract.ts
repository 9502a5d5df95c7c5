import { defineContract, emptyResponse } from '../define-contract.ts';
import { idPath } from '../record-id.ts';

export const deleteWebhookContract = defineContract({
  method: 'DELETE',
  path: '/api/webhooks/{id}',
  right: 'owner',
  tag: 'Webhooks',
  summary: 'Delete a webhook with its pending messages',
  request: { path: idPath },
  responses: { 204: emptyResponse('The webhook was deleted.') },
  problems: ['not_found'],
});
