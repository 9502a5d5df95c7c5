import { once } from 'node:events';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { JOB_TYPES, type JobType } from '@sightline/core/jobs/job';
import type { ClaimedItem } from '@sightline/core/jobs/job-item';
import { JobSlots } from './job-slots.ts';

const CONCURRENCY = 3;

let waiting: JobType[];
let atWork: JobType[];
let begun: EventTarget;
let slots: JobSlots;

/** Work that does not end before the process stops. */
const lasting = ({ job }: ClaimedItem, { signal }: { signal: AbortSignal }) =>
  new Promise<never>((_, reject) => {
    atWork.push(job.type);
    begun.dispatchEvent(new Event('item'));
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

beforeEach(() => {
  waiting = [];
  atWork = [];
  begun = new EventTarget();
  slots = new JobSlots({
    jobs: {
      claim: (asked) => Promise.resolve(takeOf(asked)),
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
  while (atWork.length < count) await once(begun, 'item');
}

/** Takes the first waiting item of one of these types. */
function takeOf(types: readonly JobType[]): ClaimedItem | null {
  const position = waiting.findIndex((type) => types.includes(type));
  if (position === -1) return null;
  const [type] = waiting.splice(position, 1);
  return { claim: {}, job: { type }, input: {}, uploadKey: null, deaths: 0 } as ClaimedItem;
}

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

test('jobs of all types together work on as many images as inference takes', async () => {
  waiting = ['reembed', 'bulk_detect', 'reprocess', 'bulk_detect', 'import'];
  slots.start();
  await atWorkIs(CONCURRENCY + 1);
  expect(atWork.toSorted()).toEqual(['bulk_detect', 'import', 'reembed', 'reprocess']);
  expect(waiting).toEqual(['bulk_detect']);
});
