import { expect, test } from '@jest/globals';
import { followChanges } from './follow-changes.ts';

interface Answer {
  readonly next: number;
  readonly hasMore?: boolean;
  /** How long the answer takes, in ms. */
  readonly takes?: number;
}

/** Follows a feed that answers as given, and returns what was asked, called and waited for. */
async function follow(since: number | null, answers: readonly (Answer | Error)[]) {
  const controller = new AbortController();
  const asked: (number | 'latest')[] = [];
  const changed: number[] = [];
  const pauses: number[] = [];
  let time = 0;
  const left = [...answers];
  await followChanges({
    since,
    signal: controller.signal,
    onChanged: (last) => changed.push(last),
    now: () => time,
    read: (from) => {
      asked.push(from);
      const answer = left.shift()!;
      if (answer instanceof Error) return Promise.reject(answer);
      time += answer.takes ?? 0;
      return Promise.resolve({ next_cursor: answer.next, has_more: answer.hasMore ?? false });
    },
    wait: (ms) => {
      pauses.push(ms);
      if (left.length === 0) controller.abort();
      return Promise.resolve();
    },
  });
  return { asked, changed, pauses };
}

test('a new page begins with the last change and calls nothing until there is another', async () => {
  const answers = [{ next: 7 }, { next: 7, takes: 25_000 }, { next: 9 }];
  expect(await follow(null, answers)).toEqual({
    asked: ['latest', 7, 7],
    changed: [9],
    pauses: [0, 0, 500],
  });
});

test('a page that was behind by more than one answer goes on with the last change', async () => {
  const answers = [{ next: 200, hasMore: true }, { next: 90_000 }];
  expect(await follow(3, answers)).toEqual({
    asked: [3, 'latest'],
    changed: [90_000],
    pauses: [500],
  });
});

test('an answer that did not wait is followed by a pause', async () => {
  expect((await follow(3, [{ next: 3, takes: 10 }])).pauses).toEqual([2_990]);
});

test('failures are followed by growing pauses, and the feed goes on from the same change', async () => {
  const answers = [
    ...Array.from({ length: 6 }, () => new Error('unreachable')),
    { next: 4 },
    { next: 4, takes: 25_000 },
  ];
  expect(await follow(3, answers)).toEqual({
    asked: [3, 3, 3, 3, 3, 3, 3, 4],
    changed: [4],
    pauses: [2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 500, 0],
  });
});
