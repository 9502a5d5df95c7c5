import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { defineContract, jsonResponse } from '@sightline/contracts/define-contract';
import { SERVICE } from '@sightline/core/store/actor';
import type { Transaction } from '@sightline/core/database/database';
import type {
  ClaimOutcome,
  CompletedAnswer,
  IdempotencyClaim,
  IdempotencyStore,
} from '@sightline/core/idempotency/idempotency-store';
import { z } from 'zod';
import type { ApiContext } from '../context/api-context.ts';
import { answerOnce } from './answer-once.ts';
import { defineRoute, type Route } from './define-route.ts';
import { RequestInProgress } from './idempotency-errors.ts';

const CLAIM: IdempotencyClaim = { key: 'k', token: 't' };
const REQUEST = {
  path: undefined,
  query: undefined,
  headers: undefined,
  body: { fields: { name: 'a' }, files: [], texts: new Map() },
  visitor: {
    address: null,
    countedAddress: '',
    userAgent: null,
    ambiguousTokens: [],
    serviceOrigin: 'http://localhost',
  },
  caller: undefined,
  session: undefined,
  scope: { environmentId: 1 },
  actor: SERVICE,
  requestId: 'request',
  park: () => null,
  signal: new AbortController().signal,
};

const CONTRACT = defineContract({
  method: 'POST',
  path: '/things',
  right: 'full',
  idempotent: true,
  tag: 'Discovery',
  summary: 'Make',
  request: {},
  responses: { 201: jsonResponse('Made.', z.object({ id: z.int() })) },
  problems: [],
});

let outcome: ClaimOutcome;
let released: IdempotencyClaim[];
let kept: CompletedAnswer[];
let isOurs: boolean;

beforeEach(() => {
  outcome = { outcome: 'claimed', claim: CLAIM };
  released = [];
  kept = [];
  isOurs = true;
});

const idempotency: IdempotencyStore = {
  claim: () => Promise.resolve(outcome),
  renew: () => Promise.resolve(isOurs),
  release: (_scope, claim) => {
    released.push(claim);
    return Promise.resolve();
  },
};

const transaction = {
  complete: (_claim: IdempotencyClaim, answer: CompletedAnswer) => {
    kept.push(answer);
    return Promise.resolve();
  },
} as unknown as Transaction;

function answer(route: Route) {
  return answerOnce({ context: { idempotency } as ApiContext, route }, 'k', REQUEST);
}

const present = (id: number) => ({ status: 201, body: { id } }) as const;

const MAKE = defineRoute(CONTRACT, {
  async handler(_context, request) {
    await request.settle(present)?.(transaction, 7);
    return present(7);
  },
});

const NEVER = defineRoute(CONTRACT, {
  handler: () => {
    throw new Error('this is not worked on again');
  },
});

describe('a request with an idempotency key', () => {
  test('stores its answer with its effect', async () => {
    await expect(answer(MAKE)).resolves.toEqual({ status: 201, body: { id: 7 } });
    expect(kept).toEqual([{ status: 201, body: { id: 7 } }]);
    expect(released).toEqual([]);
  });

  test('gets the stored answer', async () => {
    outcome = { outcome: 'completed', operationId: null, answer: { status: 201, body: { id: 7 } } };
    await expect(answer(NEVER)).resolves.toEqual({
      status: 201,
      body: { id: 7 },
      headers: { 'Idempotency-Replayed': 'true' },
    });
  });

  test.each([
    ['mismatch', 'idempotency_mismatch'],
    ['in_progress', 'in_progress'],
  ] as const)('is refused: %s', async (refused, code) => {
    outcome = { outcome: refused };
    await expect(answer(NEVER)).rejects.toMatchObject({ code });
    expect(released).toEqual([]);
  });

  test('releases the key when it fails, even after its answer was made', async () => {
    const failing = defineRoute(CONTRACT, {
      async handler(_context, request) {
        await request.settle(present)?.(transaction, 7);
        throw new Error('rolled back');
      },
    });
    await expect(answer(failing)).rejects.toThrow('rolled back');
    expect(released).toEqual([CLAIM]);
  });

  test('is aborted when another process has taken over its key', async () => {
    jest.useFakeTimers();
    const slow = defineRoute(CONTRACT, {
      handler: (_context, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    });
    const refused = expect(answer(slow)).rejects.toBeInstanceOf(RequestInProgress);
    await jest.advanceTimersByTimeAsync(15_000);
    isOurs = false;
    await jest.advanceTimersByTimeAsync(10_000);
    await refused;
    jest.useRealTimers();
  });

  test('is not aborted when its own answer is what ended the claim', async () => {
    jest.useFakeTimers();
    const tidying = defineRoute(CONTRACT, {
      async handler(_context, request) {
        await request.settle(present)?.(transaction, 7);
        isOurs = false;
        await new Promise((resolve) => setTimeout(resolve, 15_000));
        request.signal.throwIfAborted();
        return present(7);
      },
    });
    const answered = expect(answer(tidying)).resolves.toMatchObject({ status: 201 });
    await jest.advanceTimersByTimeAsync(15_000);
    await answered;
    jest.useRealTimers();
  });

  test('releases the key if it had no effect', async () => {
    const idle = defineRoute(CONTRACT, { handler: () => present(7) });
    await expect(answer(idle)).resolves.toMatchObject({ status: 201 });
    expect(released).toEqual([CLAIM]);
  });
});
