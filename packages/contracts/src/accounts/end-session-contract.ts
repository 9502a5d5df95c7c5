import { defineContract, emptyResponse } from '../define-contract.ts';
import { idPath } from '../record-id.ts';

export const endSessionContract = defineContract({
  method: 'DELETE',
  path: '/api/account/sessions/{id}',
  right: 'account',
  tag: 'Accounts',
  summary: 'End one of the own sessions',
  request: { path: idPath },
  responses: { 204: emptyResponse('The session has ended.') },
  problems: ['not_found'],
});
