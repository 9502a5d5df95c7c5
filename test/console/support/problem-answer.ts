import type { Route } from 'playwright-core';

/** A refusal of the service, as a test makes it. */
export interface MadeProblem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  /** The header in seconds. */
  readonly retryAfter?: number;
}

/** The id of the request that failed, which the console shows to people who report the failure. */
export const REQUEST_ID = '0f1e2d3c-4b5a-4697-8877-665544332211';

export const OVERLOADED: MadeProblem = {
  status: 503,
  code: 'overloaded',
  detail: 'The service has too much to do. Try again later.',
  retryAfter: 0,
};

/** The session of the cookie is no longer valid. */
export const ENDED: MadeProblem = {
  status: 401,
  code: 'unauthenticated',
  detail: 'The session has ended.',
};

/** Answers a request of a page by a problem. */
export async function answerProblem(route: Route, problem: MadeProblem): Promise<void> {
  const { status, code, detail, retryAfter } = problem;
  await route.fulfill({
    status,
    headers: {
      'Content-Type': 'application/problem+json',
      ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    },
    body: JSON.stringify({
      type: 'about:blank',
      title: code,
      status,
      detail,
      code,
      request_id: REQUEST_ID,
    }),
  });
}
