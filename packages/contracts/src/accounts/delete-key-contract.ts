import { defineContract, emptyResponse } from '../define-contract.ts';
import { idPath } from '../record-id.ts';

export const deleteKeyContract = defineContract({
  method: 'DELETE',
  path: '/api/account/keys/{id}',
  right: 'account',
  tag: 'Accounts',
  summary: 'Delete a key',
  description: 'Every process refuses the key within five seconds.',
  request: { path: idPath },
  responses: { 204: emptyResponse('The key has been deleted.') },
  problems: ['not_found'],
});
