import { z } from 'zod';
import { defineContract, emptyResponse } from '../define-contract.ts';
import { integer } from '../numeric.ts';

export const revokeInvitationContract = defineContract({
  method: 'DELETE',
  path: '/api/account/environments/{id}/invitations/{invitation_id}',
  right: 'account',
  tag: 'Accounts',
  summary: 'Revoke an invitation',
  description: 'Only owners of the environment may revoke it.',
  request: { path: z.object({ id: integer(), invitation_id: integer() }) },
  responses: { 204: emptyResponse('The link is not valid any more.') },
  problems: ['not_found', 'forbidden'],
});
