import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { NotFound } from '../store/not-found.ts';
import { StoreUnavailable } from '../store/store-errors.ts';
import { ClaimLost } from './job-errors.ts';
import type { ClaimedItem, ItemEnd } from './job-item.ts';
import type { ClaimState, JobQueue } from './job-queue.ts';
import type { JobTools, JobWork } from './job-work.ts';
import { runNextItem } from './run-next-item.ts';

const CLAIM = { environmentId: 2, jobId: 1, index: 0, token: 'a' };

const JOB = {
  id: 1,
  environmentId: 2,
  type: 'import',
  status: 'running',
  total: 3,
  done: 1,
  failed: 0,
  params: {},
  error: null,
  hasResults: false,
  resultsKey: null,
  operationId: null,
  workedTo: null,
  createdAt: new Date(0),
  finishedAt: null,
} as const;

const ITEM: ClaimedItem = { claim: CLAIM, job: JOB, input: {}, uploadKey: 'key', deaths: 0 };

const IMAGE: ClaimedItem = {
  ...ITEM,
  job: { ...JOB, type: 'reprocess', params: { types: 'all', replace: false } },
  input: { sourceImageId: 1 },
};

let waiting: ClaimedItem[];
let state: ClaimState;
let steps: unknown[];
let releases: (() => Promise<void>)[];
let endings: (() => Promise<void>)[];
let stop: AbortController;

const jobs: Pick<JobQueue, 'claim' | 'renew' | 'report' | 'release'> = {
  claim: () => Promise.resolve(waiting.shift() ?? null),
  renew: () => {
    steps.push('renewed');
    return Promise.resolve(state);
  },
  report: (_, progress) => {
    steps.push(progress);
    return Promise.resolve(state);
  },
  release: async (_, options) => {
    await releases.shift()?.();
    steps.push({ released: options });
  },
};

beforeEach(() => {
  jest.useFakeTimers();
  waiting = [ITEM];
  state = 'held';
  steps = [];
  releases = [];
  endings = [];
  stop = new AbortController();
});

afterEach(() => {
  jest.useRealTimers();
});

function run(work: JobWork): Promise<boolean> {
  const deps = {
    jobs,
    works: { import: work as JobWork<'import'>, reprocess: work as JobWork<'reprocess'> },
    endItem: async (_: unknown, end: ItemEnd) => {
      if (state === 'lost') throw new ClaimLost();
      await endings.shift()?.();
      steps.push({ ended: end });
    },
    media: {
      remove: (keys: readonly string[]) => {
        steps.push({ removed: keys });
        return Promise.resolve();
      },
    },
    claimed: () => steps.push('claimed'),
    ended: (type: string, outcome: string) => steps.push(`${type} ${outcome}`),
    waits: (type: string, error: Error) => steps.push(`${type} waits: ${error.message}`),
  };
  return runNextItem(deps, () => jobs.claim([]), stop.signal);
}

/** Work that lasts until it is aborted. */
const lasting: JobWork = (_, { signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

const failing =
  (error: Error): JobWork =>
  () =>
    Promise.reject(error);

test('does nothing without an item', async () => {
  waiting = [];
  expect(await run(failing(new Error('not reached')))).toBe(false);
  expect(steps).toEqual([]);
});

test('an item ends with its result, and its upload is removed', async () => {
  expect(await run((_, { end }) => end({ result: 7 }))).toBe(true);
  expect(steps).toEqual(['claimed', { ended: { result: 7 } }, 'import done', { removed: ['key'] }]);
});

test('an item can end in the transaction of its effect', async () => {
  const endItem = (claim: object, end: ItemEnd) => {
    steps.push({ claim, end });
    return Promise.resolve();
  };
  await run((_, { settle }) =>
    settle((result: number) => ({ result: result + 1 }))({ jobs: { endItem } }, 4),
  );
  expect(steps).toContainEqual({ claim: CLAIM, end: { result: 5 } });
});

describe('an item fails', () => {
  test('because of its own error, and its upload is kept', async () => {
    await run(failing(new NotFound('image', 3)));
    const error = { code: 'not_found', detail: 'There is no image 3.' };
    expect(steps).toEqual(['claimed', { ended: { error } }, 'import failed']);
  });

  test('because of an unexpected error, without the text of the error', async () => {
    await expect(run(failing(new TypeError('secret')))).rejects.toThrow('secret');
    expect(steps).toEqual([
      'claimed',
      {
        ended: {
          error: { code: 'internal_error', detail: expect.stringMatching(/^An unexpected/) },
        },
      },
      'import failed',
    ]);
  });

  test('without another attempt if two processes have died', async () => {
    waiting = [{ ...ITEM, deaths: 2 }];
    await run(failing(new Error('not reached')));
    expect(steps).toContainEqual({
      ended: { error: { code: 'internal_error', detail: expect.stringMatching(/crashed twice/) } },
    });
  });
});

describe('an item returns to the queue', () => {
  test('while a dependency is unavailable', async () => {
    expect(await run(failing(new StoreUnavailable('unavailable')))).toBe(true);
    expect(steps).toEqual([
      'claimed',
      'import waits: unavailable',
      { released: { pauseMs: 2_000, crash: null } },
    ]);
  });

  test('with the pause that the error names, and with the death of a thread', async () => {
    const error = Object.assign(new StoreUnavailable('unavailable'), {
      retryAfterSeconds: 7,
      crash: 'thread',
    });
    await run(failing(error));
    expect(steps).toContainEqual({ released: { pauseMs: 7_000, crash: 'thread' } });
  });

  test.each(['inference', 'inference_alone'])('with the crash %s', async (crash) => {
    await run(failing(Object.assign(new StoreUnavailable('unavailable'), { crash })));
    expect(steps).toContainEqual({ released: { pauseMs: 2_000, crash } });
  });

  test('once the database is available again', async () => {
    const unavailable = () => Promise.reject(new StoreUnavailable('unavailable'));
    releases = [unavailable, unavailable];
    const running = run(failing(new StoreUnavailable('unavailable')));
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await running).toBe(true);
    expect(steps.at(-1)).toEqual({ released: { pauseMs: 2_000, crash: null } });
  });

  test('if its failure cannot be written', async () => {
    endings = [() => Promise.reject(new StoreUnavailable('unavailable'))];
    expect(await run(failing(new NotFound('image', 3)))).toBe(true);
    expect(steps.at(-1)).toEqual({ released: { pauseMs: 2_000, crash: null } });
  });

  test('when the process stops', async () => {
    const running = run(lasting);
    const stopped = expect(running).rejects.toThrow('stop');
    await jest.advanceTimersByTimeAsync(0);
    stop.abort(new Error('stop'));
    await stopped;
    expect(steps).toEqual(['claimed', { released: { pauseMs: 0 } }]);
  });
});

describe('a claim', () => {
  test.each([
    ['an image', 10_000, IMAGE],
    ['work that ends when its job is cancelled', 2_000, ITEM],
  ])('on %s is renewed every %i ms until the end', async (_, everyMs, item) => {
    waiting = [item];
    const end = Promise.withResolvers<undefined>();
    const running = run(() => end.promise);
    await jest.advanceTimersByTimeAsync(everyMs * 2.5);
    end.resolve(undefined);
    await running;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(steps.filter((step) => step === 'renewed')).toHaveLength(2);
  });

  test('that is lost ends the work, and nothing is written', async () => {
    const running = run(lasting);
    state = 'lost';
    await jest.advanceTimersByTimeAsync(2_000);
    expect(await running).toBe(true);
    expect(steps).toEqual(['claimed', 'renewed']);
  });

  test('that is found lost when a failure is written leaves the item to the other process', async () => {
    state = 'lost';
    expect(await run(failing(new NotFound('image', 3)))).toBe(true);
    expect(steps).toEqual(['claimed']);
  });

  test('that is found lost at the end leaves the item to the other process', async () => {
    state = 'lost';
    expect(await run((_, { end }) => end({}))).toBe(true);
    expect(steps).toEqual(['claimed']);
  });
});

describe('a cancelled job', () => {
  const report = (_: unknown, { report }: JobTools) => report({ total: 9, done: 4, failed: 0 });

  test('ends work that reports its counters', async () => {
    state = 'cancelled';
    await run(report);
    const error = { code: 'cancelled', detail: expect.any(String) };
    expect(steps).toContainEqual({ ended: { error } });
    expect(steps).toContain('import failed');
    expect(steps).toContainEqual({ removed: ['key'] });
  });

  test('ends work that reports nothing within two seconds', async () => {
    const running = run(lasting);
    state = 'cancelled';
    await jest.advanceTimersByTimeAsync(2_000);
    await running;
    expect(steps).toContain('import failed');
  });

  test('lets the work on an image end', async () => {
    waiting = [IMAGE];
    state = 'cancelled';
    const end = Promise.withResolvers<undefined>();
    const running = run(async (_, tools) => {
      await end.promise;
      tools.signal.throwIfAborted();
      await tools.end({ result: 1 });
    });
    await jest.advanceTimersByTimeAsync(10_000);
    end.resolve(undefined);
    await running;
    expect(steps).toContain('reprocess done');
  });
});
