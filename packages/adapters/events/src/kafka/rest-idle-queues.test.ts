import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import { type RequestQueueClass, restIdleQueues } from './rest-idle-queues.ts';

const path = 'kafkajs/src/network/requestQueue';
const Queue = createRequire(import.meta.url)(path) as RequestQueueClass;

test('an empty queue has no timer', () => {
  restIdleQueues();
  const queue = new Queue({ maxInFlightRequests: null });
  queue.checkPendingRequests();
  expect(queue.throttleCheckTimeoutId).toBeNull();
});

test('a queued request starts the timer', () => {
  restIdleQueues();
  const queue = new Queue({ maxInFlightRequests: 0 });
  (queue.pending as unknown[]).push({});
  queue.checkPendingRequests();
  expect(queue.throttleCheckTimeoutId).not.toBeNull();
  clearTimeout(queue.throttleCheckTimeoutId!);
});
