import { dismissMismatchesContract } from '@sightline/contracts/review/dismiss-mismatches-contract';
import { defineRoute } from '../../http/define-route.ts';
import { answerDismissal } from './answer-dismissal.ts';

export const dismissMismatchesRoute = defineRoute(dismissMismatchesContract, {
  handler: (context, request) => answerDismissal(context, request, 'dismissMismatch'),
});
