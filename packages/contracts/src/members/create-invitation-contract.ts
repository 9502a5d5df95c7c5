import { z } from 'zod';
import { accountBody, defineContract, jsonResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { idPath } from '../record-id.ts';
import { Invitation } from './invitation.ts';
import { Role } from './member.ts';
import { givenEmail } from '../accounts/user.ts';

export const CreatedInvitation = Invitation.extend({
  url: z
    .string()
    .describe(
      'The page where the person accepts, with the secret behind `#`; shown only this once.',
    ),
}).meta({ id: 'CreatedInvitation' });

export const createInvitationContract = defineContract({
  method: 'POST',
  path: '/api/account/environments/{id}/invitations',
  right: 'account',
  tag: 'Accounts',
  summary: 'Invite a person to an environment',
  description:
    'Only owners of the environment may invite; the setting `system.invitations_of_new_accounts` may leave people without an account to administrators. The invitation is valid for 72 hours and replaces an earlier one of the same e-mail address. The service sends no mail: give the person the link.',
  request: { path: idPath, body: accountBody(z.object({ email: givenEmail, role: Role })) },
  responses: { 201: jsonResponse('The invitation.', CreatedInvitation) },
  problems: [...JSON_PROBLEMS, 'not_found', 'forbidden', 'member_exists', 'limit_reached'],
});
