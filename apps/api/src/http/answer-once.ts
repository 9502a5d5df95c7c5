import type { IdempotencyClaim } from '@sightline/core/idempotency/idempotency-store';
import type { Scope } from '@sightline/core/store/scope';
import type { ApiContext } from '../api-context.ts';
import { ClaimLease } from './claim-lease.ts';
import type { Answer, Route, ValidRequest } from './define-route.ts';
import { fingerprintOf } from './fingerprint.ts';
import { IdempotencyMismatch, RequestInProgress } from './idempotency-errors.ts';

const REPLAYED = { 'Idempotency-Replayed': 'true' };

type Unsettled = Omit<ValidRequest, 'settle' | 'scope'> & { readonly scope: Scope };

/**
 * Answers a request with an idempotency key: with the stored answer of the key, or by running the
 * handler, whose answer is stored in the transaction of its effect.
 *
 * @throws IdempotencyMismatch, RequestInProgress, StoreUnavailable; errors of the handler, after which
 *   the key is free again
 */
export async function answerOnce(
  { context, route }: { readonly context: ApiContext; readonly route: Route },
  key: string,
  request: Unsettled,
): Promise<Answer> {
  const { scope, signal } = request;
  const fingerprint = fingerprintOf(route.contract, request);
  const claimed = await context.idempotency.claim(scope, { key, fingerprint }, signal);
  switch (claimed.outcome) {
    case 'mismatch':
      throw new IdempotencyMismatch();
    case 'in_progress':
      throw new RequestInProgress();
    case 'completed':
      return { ...claimed.answer, headers: REPLAYED };
    case 'claimed':
      return work({ context, route, claim: claimed.claim }, request);
  }
}

interface Work {
  readonly context: ApiContext;
  readonly route: Route;
  readonly claim: IdempotencyClaim;
}

async function work({ context, route, claim }: Work, request: Unsettled): Promise<Answer> {
  const { idempotency: store } = context;
  const { scope } = request;
  // If this fails too, the lease of the claim expires.
  const release = () => store.release(scope, claim).catch(() => undefined);
  using lease = new ClaimLease({ store, scope, claim });
  const kept: Answer[] = [];
  const settle: ValidRequest['settle'] = (present) => async (transaction, result) => {
    const { status, body } = present(result);
    await transaction.complete(claim, { status, body });
    kept.push({ status, body });
  };
  try {
    const signal = AbortSignal.any([request.signal, lease.lost]);
    const answer = await route.handler(context, { ...request, signal, settle });
    if (kept.length === 0) await release();
    return answer;
  } catch (error) {
    await release();
    throw error;
  }
}
