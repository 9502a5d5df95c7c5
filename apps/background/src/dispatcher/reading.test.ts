import { expect, test } from '@jest/globals';
import type { DueAttempt } from '@sightline/core/webhooks/delivery-queue';
import { afterEvents, afterQueued, pageFor, startReading, supplyOf } from './reading.ts';

const position = (id: number) => ({ xid: '1', id });
const queued = (id: number): DueAttempt => ({
  position: position(id),
  eventId: String(id),
  event: 'any',
  attempt: 1,
  body: new Uint8Array(),
});

test('the queue is read to its end, then the outbox until the reading has caught up', () => {
  const started = startReading(position(9));
  expect(started).toEqual({ from: 'queue', after: null, outbox: position(9) });
  const further = afterQueued(started, [queued(3), queued(5)]);
  expect(further).toEqual({ from: 'queue', after: position(5), outbox: position(9) });
  expect(afterQueued(further, [])).toEqual({ from: 'outbox', outbox: position(9) });
  expect(afterEvents({ end: position(20), hasMore: true })).toEqual({
    from: 'outbox',
    outbox: position(20),
  });
  expect(afterEvents({ end: position(30), hasMore: false })).toEqual({
    from: 'caught up',
    outbox: position(30),
  });
});

test('half a page, by number or by bytes, is ample', () => {
  const page = pageFor(8, 1_000_000);
  const { limit, bytes } = page;
  expect(supplyOf({ size: limit / 2 + 1, bytes: 0, flows: true }, page)).toBe('ample');
  expect(supplyOf({ size: 1, bytes: bytes / 2 + 1, flows: false }, page)).toBe('ample');
  expect(supplyOf({ size: limit / 2, bytes: bytes / 2, flows: true }, page)).toBe('low');
});

test('no more is read for an endpoint that answers nothing', () => {
  expect(supplyOf({ size: 0, bytes: 0, flows: false }, pageFor(1, 1_000_000))).toBe('blocked');
});

test('a page grows with the requests in flight, up to the share of the webhook', () => {
  expect(pageFor(1, 1_000_000).bytes).toBe(16_384);
  expect(pageFor(8, 1_000_000).bytes).toBe(131_072);
  expect(pageFor(8, 20_000.5).bytes).toBe(20_000);
});
