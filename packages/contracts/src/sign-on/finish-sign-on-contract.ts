import { z } from 'zod';
import { defineContract, emptyResponse } from '../define-contract.ts';
import { SIGN_ON_ERRORS } from './sign-on.ts';

const REFUSALS = Object.entries(SIGN_ON_ERRORS)
  .map(([code, description]) => `- \`${code}\`: ${description}`)
  .join('\n');

/** A repeated parameter is refused by a redirect, as all answers are, because a person looks at the browser. */
const member = z.union([z.string(), z.array(z.string())]).optional();

export const finishSignOnContract = defineContract({
  method: 'GET',
  path: '/api/auth/oidc/callback',
  right: 'none',
  tag: 'Accounts',
  summary: 'Come back from the identity provider',
  description: `The redirect address of the installation at its OpenID provider. It completes the sign-in that the browser has begun, whose cookie it removes unless the answer is for another sign-in, and sends the browser to \`/console/\`. A refused sign-in leads to \`/console/sign-in?error=\` with one of these codes:\n\n${REFUSALS}`,
  request: {
    query: z.object({
      code: member.describe('Exchanged for the login of the person.'),
      state: member.describe('Ties the answer to the browser.'),
      iss: member.describe('The issuer of the answer (RFC 9207).'),
      error: member.describe('The code of a refusal by the provider.'),
    }),
    headers: z.object({
      cookie: z.string().optional().describe('The cookie of the sign-in that has begun.'),
    }),
  },
  responses: {
    303: {
      ...emptyResponse('The sign-in is complete, or was refused.'),
      headers: {
        Location: 'A page of the console.',
        'Set-Cookie': 'Removes the cookie of the sign-in. The session, if one begins.',
      },
    },
  },
  problems: [],
});
