import { expect, test } from '@jest/globals';
import type { Database } from '../database/database.ts';
import { ImportBatches } from './import-batches.ts';

const log: string[] = [];
let now = 0;

function openBatches(flush: () => Promise<void> = () => Promise.resolve()) {
  log.length = 0;
  now = 0;
  let done = 0;
  const tally = {
    get progress() {
      return { total: 1000, done, failed: 0 };
    },
  };
  const deferred = {
    withEntities: (() => Promise.resolve()) as Database['withEntities'],
    flush: async () => {
      log.push('flush');
      await flush();
      log.push('flushed');
    },
  };
  const report = (progress: { readonly done: number }) => {
    log.push(`report ${progress.done}`);
    return Promise.resolve();
  };
  const batches = new ImportBatches(deferred, { tally, report, now: () => now });
  const add = async (images = 1): Promise<void> => {
    for (let image = 0; image < images; image++) {
      done += 1;
      await batches.endIfFull();
    }
  };
  return { batches, add };
}

test('a batch is flushed before its progress is reported', async () => {
  const { batches, add } = openBatches();
  await add(255);
  expect(log).toEqual([]);
  await add();
  expect(log).toEqual(['flush', 'flushed', 'report 256']);
  now = 499;
  await add();
  expect(log).toHaveLength(3);
  now = 500;
  await add();
  await batches.end();
  expect(log.slice(3)).toEqual([
    'flush',
    'flushed',
    'report 258',
    'flush',
    'flushed',
    'report 258',
  ]);
});

test('images that are stored during a flush are reported with the next batch', async () => {
  const flush = Promise.withResolvers<undefined>();
  const { batches, add } = openBatches(() => flush.promise);
  now = 500;
  const ended = add();
  await add();
  flush.resolve(undefined);
  await ended;
  expect(log).toEqual(['flush', 'flushed', 'report 1']);
  await batches.end();
  expect(log.at(-1)).toBe('report 2');
});

test('images that are stored during a flush count for the next batch', async () => {
  const flush = Promise.withResolvers<undefined>();
  const { add } = openBatches(() => flush.promise);
  now = 500;
  const ended = add();
  await add(255);
  flush.resolve(undefined);
  await ended;
  await add();
  expect(log.at(-1)).toBe('report 257');
});

test('nothing is reported after a flush that failed', async () => {
  const { batches, add } = openBatches(() => Promise.reject(new Error('down')));
  await add();
  await expect(batches.end()).rejects.toThrow('down');
  await batches.abandon();
  expect(log).toEqual(['flush', 'flush']);
});
