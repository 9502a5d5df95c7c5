import type { Response } from 'express';

interface WaitingLocals {
  waitsSince?: number;
}

/** Notes that a request waits for a change from now on. The time until its answer is not time that the service needs. */
export function noteWaiting(response: Response): void {
  (response.locals as WaitingLocals).waitsSince = performance.now();
}

/** The time in ms, as `performance.now()` tells it, since which a request waits; undefined if it does not. */
export function waitsSince(response: Response): number | undefined {
  return (response.locals as WaitingLocals).waitsSince;
}
