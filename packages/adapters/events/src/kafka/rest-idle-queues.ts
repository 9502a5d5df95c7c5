import { createRequire } from 'node:module';

/** The part of kafkajs that queues requests to a broker. */
export interface RequestQueue {
  readonly pending: readonly unknown[];
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
  scheduleCheckPendingRequests: (this: RequestQueue) => void;
}

export type RequestQueueClass = new (options: {
  readonly maxInFlightRequests: number | null;
}) => RequestQueue;

const path = 'kafkajs/src/network/requestQueue';
const Queue = createRequire(import.meta.url)(path) as RequestQueueClass;
let isDone = false;

/**
 * Stops the timers of idle connections. kafkajs checks its queue of requests once a millisecond even if it is empty,
 * with a timer of negative time, which costs 6 % of a core for each connection (tulios/kafkajs#1751). A request that is
 * queued later starts the checks again.
 */
export function restIdleQueues(): void {
  if (isDone) return;
  isDone = true;
  const { prototype } = Queue as { readonly prototype: RequestQueue };
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.pending.length > 0) schedule.call(this);
  };
}
