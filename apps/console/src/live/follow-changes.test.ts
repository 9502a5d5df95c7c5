import { expect, test } from '@jest/globals';
import { ProblemError } from '../client/api-error.ts';
import { type Change, followChanges } from './follow-changes.ts';

interface Answer {
  readonly next: number;
  readonly count?: number;
  readonly hasMore?: boolean;
  /** How long the answer takes, in ms. */
  readonly takes?: number;
}

/** Follows a feed that answers as given, and returns what was asked, called and waited for. */
async function follow(answers: readonly (Answer | Error)[], goesOn = true) {
  const controller = new AbortController();
  const asked: unknown[] = [];
  const begun: number[] = [];
  const changed: number[] = [];
  const pauses: number[] = [];
  let time = 0;
  const left = [...answers];
  await followChanges({
    signal: controller.signal,
    begin: (latest) => {
      begun.push(latest);
      return latest;
    },
    onChanges: ({ next_cursor: next }) => changed.push(next),
    onFailure: () => goesOn,
    now: () => time,
    read: ({ since }) => {
      asked.push(since);
      const answer = left.shift()!;
      if (answer instanceof Error) return Promise.reject(answer);
      const { next, count = 0, hasMore = false, takes = 0 } = answer;
      time += takes;
      const changes = Array.from({ length: count }, () => ({}) as Change);
      return Promise.resolve({ changes, next_cursor: next, has_more: hasMore });
    },
    wait: (ms) => {
      pauses.push(ms);
      if (left.length === 0) controller.abort();
      return Promise.resolve();
    },
  });
  return { asked, begun, changed, pauses };
}

test('a new page begins with the last change and calls nothing until there is another', async () => {
  const answers = [{ next: 7 }, { next: 7, takes: 25_000 }, { next: 9, count: 2 }];
  expect(await follow(answers)).toEqual({
    asked: ['latest', 7, 7],
    begun: [7],
    changed: [9],
    pauses: [0, 0, 500],
  });
});

test('a page that is behind by more than one answer begins again', async () => {
  const answers = [
    { next: 3 },
    { next: 203, count: 200, hasMore: true },
    { next: 90_000 },
    { next: 90_001, count: 1 },
  ];
  expect(await follow(answers)).toEqual({
    asked: ['latest', 3, 'latest', 90_000],
    begun: [3, 90_000],
    changed: [203, 90_001],
    pauses: [0, 0, 0, 500],
  });
});

test('an answer that did not wait is followed by a pause', async () => {
  expect((await follow([{ next: 3 }, { next: 3, takes: 10 }])).pauses).toEqual([0, 2_990]);
});

test('failures are followed by growing pauses, and the feed begins again', async () => {
  const answers = [
    ...Array.from({ length: 6 }, () => new Error('unreachable')),
    { next: 4 },
    { next: 4, takes: 25_000 },
  ];
  expect(await follow(answers)).toEqual({
    asked: [...Array.from({ length: 7 }, () => 'latest'), 4],
    begun: [4],
    changed: [],
    pauses: [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 0, 0],
  });
});

test('the pause after a failure is the one that the service asks for', async () => {
  const problem = { status: 429, code: 'rate_limited', detail: '' } as ProblemError['problem'];
  expect((await follow([new ProblemError(problem, 7)])).pauses).toEqual([7_000]);
});

test('a failure may end the feed', async () => {
  expect(await follow([new Error('refused')], false)).toMatchObject({ pauses: [] });
});
