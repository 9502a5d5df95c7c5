import { createRequire } from 'node:module';

/** The internal class of kafkajs that queues requests to a broker. */
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
const { prototype } = Queue as { readonly prototype: RequestQueue };
const schedule = prototype.scheduleCheckPendingRequests;

function scheduleUnlessEmpty(this: RequestQueue): void {
  if (this.pending.length > 0) schedule.call(this);
}

/**
 * Stops the timers of idle connections. kafkajs checks its request queue every millisecond even while the queue is
 * empty, which costs 6 % of a core per connection (tulios/kafkajs#1751). The next queued request starts the checks
 * again.
 */
export function restIdleQueues(): void {
  prototype.scheduleCheckPendingRequests = scheduleUnlessEmpty;
}
