import { beforeEach, describe, expect, test } from '@jest/globals';
import { backgroundOf, type Tenant } from '@sightline/core/analysis/tenant';
import { LaneGate } from './lane-gate.ts';
import { LaneQueue, type Turn } from './lane-queue.ts';

const KEY: Tenant = { environment: '1', caller: 'key-1' };
const JOBS = backgroundOf({ environmentId: 1 });
const CORES = 2;

type Item = object;

/** The clock of two queues with two workers each, which share two cores. */
let clock: { now: number };
let one: LaneQueue<Item>;
let other: LaneQueue<Item>;
let notified: string[];

beforeEach(() => {
  clock = { now: 10_000 };
  notified = [];
  const gate = new LaneGate(() => clock.now);
  const open = (name: string) =>
    new LaneQueue<Item>({
      workers: () => CORES,
      gate,
      onReconsider: () => void notified.push(name),
    });
  [one, other] = [open('one'), open('other')];
});

const push = (queue: LaneQueue<Item>, tenant: Tenant, count = 1) => {
  for (let i = 0; i < count; i++) queue.push(tenant, {});
};

/** Takes every item that free workers of a queue may begin. */
function begin(queue: LaneQueue<Item>): Turn<Item>[] {
  const turns: Turn<Item>[] = [];
  const running = () => queue.runsIn('interactive') + queue.runsIn('background');
  while (running() < CORES) {
    const turn = queue.take();
    if (turn === undefined) break;
    turns.push(turn);
  }
  return turns;
}

describe('queues on the same cores', () => {
  test('background work of a queue leaves a core free while the other queue has interactive callers', () => {
    push(one, KEY);
    begin(one)[0]!.ended();
    push(other, JOBS, 10);
    expect(begin(other)).toHaveLength(1);
    clock.now += 2_000;
    expect(begin(other)).toHaveLength(1);
  });

  test('background work of a queue waits while interactive work of the other queue has all cores', () => {
    push(one, KEY, 4);
    const [first] = begin(one);
    push(other, JOBS, 10);
    expect(begin(other)).toEqual([]);
    first!.ended();
    // The interactive caller still has items, and the next one takes the free core.
    begin(one);
    expect(begin(other)).toEqual([]);
  });

  test('interactive work begins, whatever background work the other has begun', () => {
    push(one, JOBS, 10);
    expect(begin(one)).toHaveLength(2);
    push(other, KEY);
    expect(begin(other)).toHaveLength(1);
  });

  test('background work of a queue gets one turn in eight while the other queue is flooded', () => {
    push(one, KEY, 100);
    push(other, JOBS, 100);
    let running = begin(one);
    let background = 0;
    for (let turn = 0; turn < 80; turn++) {
      running.shift()!.ended();
      // The queue with the free worker takes an item first.
      running = [...running, ...begin(one)];
      for (const begun of begin(other)) {
        background++;
        begun.ended();
      }
    }
    expect(background).toBeGreaterThanOrEqual(10);
    expect(background).toBeLessThanOrEqual(12);
  });

  test('a queue is notified when the other queue begins or ends work', async () => {
    push(one, KEY);
    const [turn] = begin(one);
    await Promise.resolve();
    notified = [];
    turn!.ended();
    await Promise.resolve();
    expect(notified).toEqual(['one', 'other']);
  });

  test('one that has left leaves its cores to the other', async () => {
    push(one, JOBS, 10);
    expect(begin(one)).toHaveLength(2);
    push(other, JOBS, 10);
    expect(begin(other)).toEqual([]);
    one.close();
    one.leave();
    await Promise.resolve();
    expect(begin(other)).toHaveLength(2);
  });
});

describe('workers that take part in an item of another one', () => {
  test('are as many as there are cores on which nothing runs', () => {
    expect(one.freeFor('interactive')).toBe(2);
    other.push(KEY, {});
    const turn = other.take()!;
    expect([one.freeFor('interactive'), other.freeFor('interactive')]).toEqual([1, 1]);
    one.push(KEY, {});
    one.take();
    one.push(KEY, {});
    one.take();
    expect(one.freeFor('interactive')).toBe(0);
    turn.ended();
    expect(one.freeFor('interactive')).toBe(0);
  });

  test('are none for background work while a worker is kept free', () => {
    one.push(KEY, {});
    one.take()!.ended();
    one.push(JOBS, {});
    expect(one.take()).toBeDefined();
    expect([one.freeFor('background'), one.freeFor('interactive')]).toEqual([0, 1]);
    clock.now += 2_000;
    expect(one.freeFor('background')).toBe(1);
  });
});
