import { expect, test } from '@jest/globals';
import type { EventHint } from '@sightline/core/events/event-stream';
import { EventHints } from './event-hints.ts';

const NEVER = new AbortController().signal;

function hint(environmentId: number, id: number, epoch = 'current'): EventHint {
  const previous = { xid: '7', id: id - 1 };
  return { environmentId, epoch, position: { xid: '7', id }, previous, events: 1 };
}

test('hints of one environment are joined, from the first to the last position', async () => {
  const hints = new EventHints();
  for (const id of [5, 7, 6]) hints.add(hint(1, id));
  hints.add(hint(2, 9));
  expect(await hints.take(10, NEVER)).toEqual([
    { ...hint(1, 5), position: { xid: '7', id: 7 }, events: 3 },
    hint(2, 9),
  ]);
});

test('the later hint wins if its outbox has another epoch', async () => {
  const hints = new EventHints();
  hints.add(hint(1, 9, 'previous'));
  hints.add(hint(1, 2));
  expect(await hints.take(10, NEVER)).toEqual([hint(1, 2)]);
});

test('the oldest hints are taken first', async () => {
  const hints = new EventHints();
  for (const environmentId of [3, 1, 2, 3]) hints.add(hint(environmentId, 1));
  const taken = await hints.take(2, NEVER);
  expect(taken.map(({ environmentId }) => environmentId)).toEqual([3, 1]);
  expect(await hints.take(2, NEVER)).toEqual([hint(2, 1)]);
});

test('without hints, take waits for a hint or an abort', async () => {
  const hints = new EventHints();
  const stopped = new AbortController();
  const inVain = hints.take(1, stopped.signal);
  stopped.abort(new Error('stopped'));
  await expect(inVain).rejects.toThrow('stopped');
  const waiting = hints.take(1, NEVER);
  hints.add(hint(1, 1));
  expect(await waiting).toEqual([hint(1, 1)]);
});

test('invented environments do not fill the memory', async () => {
  const hints = new EventHints();
  for (let id = 1; id <= 10_500; id++) hints.add(hint(id, 1));
  expect(await hints.take(20_000, NEVER)).toHaveLength(10_000);
});
