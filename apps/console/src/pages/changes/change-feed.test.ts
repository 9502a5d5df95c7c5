import { describe, expect, test } from '@jest/globals';
import { ProblemError, UnreachableError } from '../../client/api-error.ts';
import type { Change, Changes, ChangesQuery } from '../../live/follow-changes.ts';
import { ChangeFeed } from './change-feed.ts';

const change = (id: number) => ({ id, entity_type: 'identity', action: 'created' }) as Change;

function answer(ids: readonly number[], cursor: number): Changes {
  return { changes: ids.map(change), next_cursor: cursor, has_more: false };
}

/** A feed whose answers the test gives, one after the other. */
function startFeed() {
  const queries: ChangesQuery[] = [];
  const pauses: number[] = [];
  const given: ((answer: Changes | Error) => void)[] = [];
  let time = 0;
  const feed = new ChangeFeed({
    read: (query) => {
      queries.push(query);
      return new Promise((resolve, reject) =>
        given.push((result) => (result instanceof Error ? reject(result) : resolve(result))),
      );
    },
    wait: (ms) => {
      if (ms > 0) pauses.push(ms);
      return Promise.resolve();
    },
    now: () => time,
  });
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  return {
    feed,
    queries,
    pauses,
    give: async (result: Changes | Error, tookMs = 20_000) => {
      time += tookMs;
      given.shift()!(result);
      await settle();
    },
  };
}

describe('the feed of changes', () => {
  test('begins shortly before the latest change, and shows the newest first', async () => {
    const { feed, queries, give } = startFeed();
    feed.start();
    await give(answer([], 500));
    await give(answer([499, 500], 500));
    await give(answer([501], 501));
    expect(queries).toEqual([
      { since: 'latest' },
      { since: 400, wait: 25, limit: 200 },
      { since: 500, wait: 25, limit: 200 },
      { since: 501, wait: 25, limit: 200 },
    ]);
    expect(feed.state).toMatchObject({ phase: 'following', cursor: 501 });
    expect(feed.state.changes.map(({ id }) => id)).toEqual([501, 500, 499]);
  });

  test('keeps at most 1,000 changes', async () => {
    const { feed, give } = startFeed();
    feed.start();
    await give(answer([], 0));
    for (let first = 1; first <= 1_200; first += 200) {
      const ids = Array.from({ length: 200 }, (_, index) => first + index);
      await give(answer(ids, first + 199));
    }
    expect(feed.state.changes).toHaveLength(1_000);
    expect(feed.state.changes[0]!.id).toBe(1_200);
  });

  test('passes over what it could not keep after a long pause', async () => {
    const { feed, queries, give } = startFeed();
    feed.start();
    await give(answer([], 10));
    await give(answer([10], 10));
    feed.stop();
    // The answer of the request before the stop is left out.
    await give(answer([11], 11));
    expect(feed.state).toMatchObject({ phase: 'stopped', cursor: 10 });
    feed.start();
    await give(answer([], 5_010));
    expect(feed.state).toMatchObject({ cursor: 4_010, skipped: 4_000 });
    expect(queries.at(-1)).toMatchObject({ since: 4_010 });
  });

  test('follows at once where there are no changes', async () => {
    const { feed, give } = startFeed();
    feed.start();
    await give(answer([], 0));
    expect(feed.state.phase).toBe('following');
    feed.stop();
  });

  test('goes on after a failure that passes, and stops at one that does not', async () => {
    const { feed, pauses, give } = startFeed();
    feed.start();
    await give(new UnreachableError('The service did not answer.'));
    await give(new UnreachableError('The service did not answer.'));
    expect(pauses).toEqual([1_000, 2_000]);
    expect(feed.state.phase).toBe('failed');
    await give(answer([], 3));
    await give(answer([3], 3));
    expect(feed.state).toMatchObject({ phase: 'following', error: null });
    const problem = { status: 403, code: 'forbidden', detail: 'No.' } as ProblemError['problem'];
    await give(new ProblemError(problem, null));
    expect(feed.state.phase).toBe('failed');
    expect(pauses).toEqual([1_000, 2_000, 500]);
    feed.retry();
    await give(answer([], 3));
    expect(feed.state.phase).toBe('following');
  });
});
