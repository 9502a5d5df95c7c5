import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { idPath } from '../record-id.ts';
import { Invitation } from './invitation.ts';

export const listInvitationsContract = defineContract({
  method: 'GET',
  path: '/api/account/environments/{id}/invitations',
  right: 'account',
  tag: 'Accounts',
  summary: 'List the open invitations to an environment, newest first',
  description: 'Only owners of the environment may list them.',
  request: { path: idPath },
  responses: { 200: jsonResponse('The invitations.', z.object({ items: z.array(Invitation) })) },
  problems: ['not_found', 'forbidden'],
});
