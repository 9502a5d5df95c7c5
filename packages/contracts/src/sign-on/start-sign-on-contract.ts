import { defineContract, emptyResponse } from '../define-contract.ts';
import { BEGIN_PROBLEMS } from './sign-on.ts';

export const startSignOnContract = defineContract({
  method: 'GET',
  path: '/api/auth/oidc',
  right: 'visitor',
  replacesSession: true,
  tag: 'Accounts',
  summary: 'Go to the identity provider',
  description:
    'For a link on a page: sends the browser to the OpenID provider of the installation, where the person signs in within ten minutes. A page that shows problems uses `POST` instead.',
  request: {},
  responses: {
    303: {
      ...emptyResponse('The person signs in at the provider.'),
      headers: {
        Location: 'The page of the provider.',
        'Set-Cookie': 'The sign-in that has begun, sealed.',
      },
    },
  },
  problems: BEGIN_PROBLEMS,
});
