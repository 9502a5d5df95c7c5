import { settleAlone } from '@sightline/core/database/settle-alone';
import type { Scope } from '@sightline/core/store/scope';
import type { ApiContext } from '../context/api-context.ts';
import type { ValidRequest } from './define-route.ts';

/** Answers a request that only counts. A retry with the same `Idempotency-Key` gets the same count. */
export async function answerWithCount(
  { database }: Pick<ApiContext, 'database'>,
  { scope, settle, signal }: Pick<ValidRequest, 'settle' | 'signal'> & { readonly scope: Scope },
  count: number,
) {
  await settleAlone(database, { scope, result: count }, { settle: settle(countOf), signal });
  return countOf(count);
}

function countOf(count: number) {
  return { status: 200, body: { count } } as const;
}
