import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from '@jest/globals';
import { PixelBudget } from './pixel-budget.ts';
import type { BudgetWorkerData } from './testing/budget-worker.ts';

const LIMIT = 100;

function shares(count: number): { memory: SharedArrayBuffer; budgets: PixelBudget[] } {
  const memory = PixelBudget.allocate(count);
  const budgets = Array.from(
    { length: count },
    (_, share) => new PixelBudget({ memory, share, limit: LIMIT }),
  );
  return { memory, budgets };
}

async function settled(promise: Promise<unknown>): Promise<boolean> {
  return Promise.race([
    promise.then(
      () => true,
      () => true,
    ),
    sleep(20).then(() => false),
  ]);
}

describe('PixelBudget', () => {
  test('grants free pixels at once, to the last one', async () => {
    const [a, b] = shares(2).budgets as [PixelBudget, PixelBudget];
    await a.acquire(60);
    await b.acquire(40);
    expect(a.inFlight).toBe(100);
  });

  test('makes the next thread wait until enough pixels are released', async () => {
    const [a, b] = shares(2).budgets as [PixelBudget, PixelBudget];
    const first = await a.acquire(60);
    const second = await a.acquire(20);
    const waiting = b.acquire(50);
    expect(await settled(waiting)).toBe(false);
    second[Symbol.dispose]();
    expect(await settled(waiting)).toBe(false);
    first[Symbol.dispose]();
    await waiting;
    expect(b.inFlight).toBe(50);
  });

  test('a small request does not overtake a large one that has waited longer', async () => {
    const [a, b, c] = shares(3).budgets as [PixelBudget, PixelBudget, PixelBudget];
    const first = await a.acquire(60);
    const large = b.acquire(90);
    const small = c.acquire(5);
    expect(await settled(small)).toBe(false);
    first[Symbol.dispose]();
    await large;
    await small;
    expect(c.inFlight).toBe(95);
  });

  test('an abort ends the wait and lets the next thread proceed', async () => {
    const [a, b, c] = shares(3).budgets as [PixelBudget, PixelBudget, PixelBudget];
    await a.acquire(60);
    const abort = new AbortController();
    const large = b.acquire(90, abort.signal);
    const small = c.acquire(40);
    expect(await settled(small)).toBe(false);
    abort.abort(new Error('gone'));
    await expect(large).rejects.toThrow('gone');
    await small;
    expect(c.inFlight).toBe(100);
  });

  test('an aborted signal reserves nothing', async () => {
    const budget = PixelBudget.alone(LIMIT);
    await expect(budget.acquire(1, AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
    expect(budget.inFlight).toBe(0);
  });

  test('lends the whole budget to an image that costs more', async () => {
    const [a, b] = shares(2).budgets as [PixelBudget, PixelBudget];
    const large = await a.acquire(3 * LIMIT);
    const small = b.acquire(1);
    expect(await settled(small)).toBe(false);
    large[Symbol.dispose]();
    (await small)[Symbol.dispose]();
    expect(a.inFlight).toBe(0);
  });

  test('a reservation shrinks, and never grows', async () => {
    const [a, b] = shares(2).budgets as [PixelBudget, PixelBudget];
    const decoding = await a.acquire(LIMIT);
    const other = b.acquire(LIMIT - 10);
    expect(await settled(other)).toBe(false);
    decoding.shrinkTo(10);
    decoding.shrinkTo(20);
    await other;
    expect(a.inFlight).toBe(LIMIT);
    decoding[Symbol.dispose]();
    expect(a.inFlight).toBe(LIMIT - 10);
  });

  test('refuses a second wait of the same share', async () => {
    const budget = PixelBudget.alone(LIMIT);
    const first = await budget.acquire(LIMIT);
    const waiting = budget.acquire(1);
    await expect(budget.acquire(1)).rejects.toThrow('already waiting');
    first[Symbol.dispose]();
    (await waiting)[Symbol.dispose]();
    expect(budget.inFlight).toBe(0);
  });

  test('disposing twice releases once', async () => {
    const budget = PixelBudget.alone(LIMIT);
    await budget.acquire(30);
    const reservation = await budget.acquire(30);
    reservation[Symbol.dispose]();
    reservation[Symbol.dispose]();
    expect(budget.inFlight).toBe(30);
  });

  test('reclaims the pixels and the lock of a dead thread', async () => {
    const { memory, budgets } = shares(2);
    const [dead, other] = budgets as [PixelBudget, PixelBudget];
    await dead.acquire(60);
    new Int32Array(memory)[0] = 1; // the thread died while it held the lock
    PixelBudget.reclaim(memory, 0);
    await other.acquire(100);
    expect(other.inFlight).toBe(100);
  });

  test('removes a dead thread from the queue', async () => {
    const { memory, budgets } = shares(3);
    const [a, , c] = budgets as [PixelBudget, PixelBudget, PixelBudget];
    await a.acquire(60);
    const worker = start({ memory, share: 1, limit: LIMIT, pixels: 90, rounds: 1 });
    const ticket = new Int32Array(memory).subarray(6, 7);
    while (Atomics.load(ticket, 0) === 0) await sleep(5);
    await worker.terminate();
    const waiting = c.acquire(40);
    expect(await settled(waiting)).toBe(false);
    PixelBudget.reclaim(memory, 1);
    await waiting;
    expect(c.inFlight).toBe(100);
  });

  test('keeps the limit across threads', async () => {
    const data = { memory: PixelBudget.allocate(4), limit: LIMIT, rounds: 100 };
    const workers = [10, 30, 60, 90].map((pixels, share) => start({ ...data, share, pixels }));
    const most = await Promise.all(workers.map(lastMessage));
    expect(Math.max(...most)).toBeLessThanOrEqual(LIMIT);
    expect(new PixelBudget({ ...data, share: 0 }).inFlight).toBe(0);
  });

  test('reclaims everything of a thread terminated at any point', async () => {
    const data = { memory: PixelBudget.allocate(2), limit: LIMIT };
    const own = new PixelBudget({ ...data, share: 1 });
    for (let round = 0; round < 10; round++) {
      const worker = start({ ...data, share: 0, pixels: 80, rounds: 1e6 });
      await once(worker, 'message');
      await sleep(Math.random() * 4);
      await worker.terminate();
      PixelBudget.reclaim(data.memory, 0);
      const all = await own.acquire(LIMIT);
      expect(own.inFlight).toBe(LIMIT);
      all[Symbol.dispose]();
    }
  });
});

function start(workerData: BudgetWorkerData): Worker {
  return new Worker(new URL('./testing/budget-worker.ts', import.meta.url), { workerData });
}

async function lastMessage(worker: Worker): Promise<number> {
  let last = 0;
  worker.on('message', (message: number) => (last = message));
  await once(worker, 'exit');
  return last;
}
