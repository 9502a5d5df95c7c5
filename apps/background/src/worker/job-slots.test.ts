import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { JOB_TYPES, type JobType } from '@sightline/core/jobs/job';
import type { ClaimedItem } from '@sightline/core/jobs/job-item';
import { JobSlots } from './job-slots.ts';

const CONCURRENCY = 3;

/** The items that wait: their types, or their types and environments. */
let waiting: (JobType | `bulk_detect of ${number}`)[];
let atWork: JobType[];
/** Gets `item` when work begins, and `miss` when a claim of an image finds none. */
let events: EventTarget;
/** The functions that end the work, in the order in which it began. */
let ends: (() => void)[];
let slots: JobSlots;

/** Work that ends when a test ends it, or when the process stops. */
const lasting = ({ job }: ClaimedItem, { signal }: { signal: AbortSignal }) =>
  new Promise<undefined>((resolve, reject) => {
    atWork.push(job.type);
    ends.push(() => resolve(undefined));
    events.dispatchEvent(new Event('item'));
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

beforeEach(() => {
  waiting = [];
  atWork = [];
  ends = [];
  events = new EventTarget();
  slots = new JobSlots({
    jobs: {
      claim: (asked, except = []) => Promise.resolve(takeOf(asked, except)),
      renew: () => Promise.resolve('held'),
      report: () => Promise.resolve('held'),
      release: () => Promise.resolve(),
    },
    works: Object.fromEntries(JOB_TYPES.map((type) => [type, lasting])),
    endItem: () => Promise.resolve(),
    media: { remove: () => Promise.resolve() },
    concurrency: CONCURRENCY,
    outages: { failed: () => undefined, succeeded: () => undefined },
    taskFailed: () => undefined,
  });
});

afterEach(async () => {
  await slots[Symbol.asyncDispose]();
});

async function atWorkIs(count: number): Promise<void> {
  while (atWork.length < count) await once(events, 'item');
}

/** Takes the first waiting item of one of these types that belongs to none of these environments. */
function takeOf(types: readonly JobType[], except: readonly number[]): ClaimedItem | null {
  const jobs = waiting.map(jobOf);
  const position = jobs.findIndex(
    ({ type, environmentId }) => types.includes(type) && !except.includes(environmentId),
  );
  if (position === -1) {
    if (types.includes('bulk_detect')) events.dispatchEvent(new Event('miss'));
    return null;
  }
  waiting.splice(position, 1);
  const job = jobs[position];
  return { claim: {}, job, input: {}, uploadKey: null, deaths: 0 } as unknown as ClaimedItem;
}

function jobOf(item: string) {
  const [type, environmentId = '1'] = item.split(' of ');
  return { type: type as JobType, environmentId: Number(environmentId) };
}

test('the slots have images while an item of an image is being worked on', async () => {
  waiting = ['export'];
  slots.start();
  await atWorkIs(1);
  expect(slots.hasImages).toBe(false);
  waiting = ['reprocess'];
  slots.wake();
  await atWorkIs(2);
  expect(slots.hasImages).toBe(true);
  const missed = once(events, 'miss');
  ends[1]!();
  await missed;
  expect(slots.hasImages).toBe(false);
});

test('an activation waits neither for archives nor for downloads, even if there are many', async () => {
  waiting = ['export', 'import', 'export', 'model_download', 'model_download', 'model_download'];
  slots.start();
  await atWorkIs(4);
  waiting.push('activate_model');
  slots.wake();
  await atWorkIs(5);
  expect(atWork.at(-1)).toBe('activate_model');
  expect(waiting).toEqual(['export', 'model_download']);
});

test('an activation of objects does not wait for one of faces, which may wait for a person', async () => {
  waiting = ['activate_model', 'activate_model'];
  slots.start();
  await atWorkIs(2);
  expect(waiting).toEqual([]);
});

test('jobs of one environment together work on as many images as inference takes', async () => {
  waiting = ['reembed', 'bulk_detect', 'reprocess', 'bulk_detect', 'import'];
  slots.start();
  await atWorkIs(CONCURRENCY + 1);
  expect(atWork.toSorted()).toEqual(['bulk_detect', 'import', 'reembed', 'reprocess']);
  expect(waiting).toEqual(['bulk_detect']);
});

test('images of one environment leave slots for the images of others', async () => {
  const of = (environment: number, count: number) =>
    Array.from({ length: count }, () => `bulk_detect of ${environment}` as const);
  waiting = of(1, 10);
  slots.start();
  await atWorkIs(CONCURRENCY);
  waiting.push(...of(2, 10));
  slots.wake();
  await atWorkIs(CONCURRENCY + 2);
  waiting.push(...of(3, 1));
  slots.wake();
  await atWorkIs(CONCURRENCY + 3);
  const left = Map.groupBy(waiting, (item) => item);
  expect([...left].map(([item, { length }]) => [item, length])).toEqual([
    ['bulk_detect of 1', 7],
    ['bulk_detect of 2', 8],
  ]);
});

test('the next image follows at once, also after the free slots found none', async () => {
  waiting = Array.from({ length: CONCURRENCY + 1 }, () => 'bulk_detect');
  slots.start();
  await atWorkIs(CONCURRENCY);
  await once(events, 'miss');
  ends[0]!();
  for (let turn = 0; turn < 100; turn++) await nextTurn();
  expect(atWork).toHaveLength(CONCURRENCY + 1);
});
