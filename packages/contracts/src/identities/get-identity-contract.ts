import { defineContract, jsonResponse } from '../define-contract.ts';
import { idPath } from '../record-id.ts';
import { IdentityDetails } from './identity.ts';

export const getIdentityContract = defineContract({
  method: 'GET',
  path: '/api/identities/{id}',
  right: 'read',
  tag: 'Identities',
  summary: 'Get an identity with its counts',
  request: { path: idPath },
  responses: { 200: jsonResponse('The identity.', IdentityDetails) },
  problems: ['not_found'],
});
