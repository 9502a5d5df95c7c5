import { listIdentityBucketsContract } from '@sightline/contracts/identities/list-identity-buckets-contract';
import type { IdentityPlace } from '@sightline/core/identities/identity-store';
import { answerBuckets } from '../../http/answer-buckets.ts';
import { defineRoute } from '../../http/define-route.ts';
import { PLACE_ORDERS, summaryFilterOf } from './summary-order.ts';

export const listIdentityBucketsRoute = defineRoute(listIdentityBucketsContract, {
  handler(context, request) {
    const { sort } = request.query;
    const filter = summaryFilterOf(request.query);
    return answerBuckets<IdentityPlace['value']>(context, request, {
      list: '/api/identities/summary',
      direction: sort === 'label' ? 'asc' : 'desc',
      read: ({ identities }) => identities.buckets(filter, sort),
      cursorOf: PLACE_ORDERS[sort].cursorOf,
      ...(sort === 'label' && { textOf: (value) => String(value).split('\u0001')[0]! }),
    });
  },
});
