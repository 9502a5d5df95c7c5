import { tenantOf } from '@sightline/core/analysis/tenant';
import type { IdempotencyClaim } from '@sightline/core/idempotency/idempotency-store';
import { withHeartbeat } from '@sightline/core/leases/with-heartbeat';
import type { Scope } from '@sightline/core/store/scope';
import type { ApiContext } from '../context/api-context.ts';
import type { Answer, Route, ValidRequest } from './define-route.ts';
import { fingerprintOf } from './fingerprint.ts';
import { IdempotencyMismatch, RequestInProgress } from './idempotency-errors.ts';

/**
 * The interval at which the claim of an idempotency key is renewed, in ms. It is a third of the claim's lease, so
 * that the claim survives two failed renewals.
 */
const RENEW_EVERY_MS = 10_000;

const REPLAYED = { 'Idempotency-Replayed': 'true' };

type Unsettled = Omit<ValidRequest, 'settle' | 'scope'> & { readonly scope: Scope };

/**
 * Answers a request that has an idempotency key. If the key has a stored answer, that answer is sent again. Otherwise
 * the handler runs, and its answer is stored in the transaction of its effect.
 *
 * @throws IdempotencyMismatch, RequestInProgress, StoreUnavailable; errors of the handler, after which
 *   the key is free again
 */
export async function answerOnce(
  { context, route }: { readonly context: ApiContext; readonly route: Route },
  given: string,
  request: Unsettled,
): Promise<Answer> {
  const { scope, caller, signal } = request;
  // Callers do not know the keys of each other, so they may choose the same ones.
  const key = caller === undefined ? given : `${tenantOf(caller).caller} ${given}`;
  const formerKey = typeof caller?.keyId === 'number' ? given : null;
  const fingerprint = fingerprintOf(route.contract, request);
  const claimed = await context.idempotency.claim(scope, { key, formerKey, fingerprint }, signal);
  switch (claimed.outcome) {
    case 'mismatch':
      throw new IdempotencyMismatch();
    case 'in_progress':
      throw new RequestInProgress();
    case 'completed':
      return {
        ...claimed.answer,
        headers: {
          ...REPLAYED,
          ...(claimed.operationId !== null && { 'X-Operation-Id': String(claimed.operationId) }),
        },
      };
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
  // A failed release is ignored, because the lease of the claim expires anyway.
  const release = () => store.release(scope, claim).catch(() => undefined);
  const lost = new AbortController();
  const kept: Answer[] = [];
  const heartbeat = {
    everyMs: RENEW_EVERY_MS,
    renew: () => store.renew(scope, claim),
    // The handler is aborted if another request has taken over the claim. A renewal also fails once the answer is
    // stored. The handler then continues, because its effect may be committed already.
    onLost: () => {
      if (kept.length === 0) lost.abort(new RequestInProgress());
    },
  };
  const signal = AbortSignal.any([request.signal, lost.signal]);
  const settle: ValidRequest['settle'] = (present) => async (transaction, result) => {
    const { status, body } = present(result);
    await transaction.complete(claim, { status, body });
    kept.push({ status, body });
  };
  try {
    const answer = await withHeartbeat(heartbeat, async () =>
      route.handler(context, { ...request, signal, settle }),
    );
    if (kept.length === 0) await release();
    return answer;
  } catch (error) {
    await release();
    throw error;
  }
}
