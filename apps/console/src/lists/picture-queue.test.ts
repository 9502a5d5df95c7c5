import { expect, jest, test } from '@jest/globals';
import { PictureQueue } from './picture-queue.ts';

function requested(queue: PictureQueue, count: number) {
  return Array.from({ length: count }, () => {
    const start = jest.fn();
    return { start, end: queue.request(start) };
  });
}

test('at most 24 pictures load at once', () => {
  const queue = new PictureQueue();
  const pictures = requested(queue, 30);
  const started = () => pictures.filter(({ start }) => start.mock.calls.length > 0).length;
  expect(started()).toBe(24);
  pictures[0]!.end();
  pictures[0]!.end();
  expect(started()).toBe(25);
  pictures[29]!.end();
  pictures[1]!.end();
  expect(started()).toBe(26);
});

test('a paused queue starts pictures once it is resumed', () => {
  const queue = new PictureQueue();
  queue.pause();
  const [one, other] = requested(queue, 2);
  other!.end();
  expect(one!.start).not.toHaveBeenCalled();
  queue.resume();
  expect(one!.start).toHaveBeenCalledTimes(1);
  expect(other!.start).not.toHaveBeenCalled();
});
