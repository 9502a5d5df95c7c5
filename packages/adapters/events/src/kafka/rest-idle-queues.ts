import { createRequire } from 'node:module';

/** The part of kafkajs that holds back requests to a broker. */
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
 * Lets connections to Kafka rest. kafkajs looks after held back requests once in a millisecond also where none is,
 * with a timer of negative time, which costs 6 % of a core for each connection (tulios/kafkajs#1751). A request that
 * is held back later begins the looks by itself.
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
