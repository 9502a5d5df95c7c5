import { describe, expect, test } from '@jest/globals';
import type { Lane } from '@sightline/core/analysis/lane';
import { backgroundOf, type Tenant } from '@sightline/core/analysis/tenant';
import fc from 'fast-check';
import { LaneGate } from './lane-gate.ts';
import { LaneQueue, type Turn } from './lane-queue.ts';

interface Item {
  readonly name: string;
}

const KEY: Tenant = { environment: '1', caller: 'key-1' };
const JOBS = backgroundOf({ environmentId: 1 });

function start(workers: number) {
  const clock = { now: 10_000 };
  const queue = new LaneQueue<Item>({
    workers: () => workers,
    gate: new LaneGate(() => clock.now),
  });
  const push = (tenant: Tenant, count = 1) => {
    for (let i = 0; i < count; i++)
      queue.push(tenant, { name: `${tenant.environment}/${tenant.caller}` });
  };
  /** Hands items to this many free workers, which do not finish the items. */
  const begin = (count = workers) => {
    const turns = Array.from({ length: count }, () => queue.take());
    return turns.filter((turn) => turn !== undefined);
  };
  return { clock, queue, push, begin };
}

const lanesOf = (turns: readonly Turn<Item>[]) => turns.map(({ lane }) => lane);

describe('background work', () => {
  test('takes all workers if it is alone', () => {
    const { push, begin, queue } = start(4);
    push(JOBS, 30);
    expect(begin()).toHaveLength(4);
    expect(queue.load.background).toEqual({ queued: 26, running: 4, environmentsQueued: 1 });
  });

  test('waits behind interactive work that comes later', () => {
    const { push, begin } = start(1);
    push(JOBS, 30);
    const [running] = begin();
    push(KEY);
    running!.ended();
    expect(lanesOf(begin())).toEqual(['interactive']);
  });

  test.each([1, 2, 8])('gets one turn in eight of a flood, with %d workers', (workers) => {
    const { push, begin } = start(workers);
    push(JOBS, 100);
    push(KEY, 1000);
    const order: string[] = [];
    for (let i = 0; i < 80; i++) {
      const [turn] = begin(1);
      order.push(turn!.lane);
      turn!.ended();
    }
    expect(order.filter((lane) => lane === 'background')).toHaveLength(10);
    expect(order.slice(0, 7)).not.toContain('background');
  });

  test('that has just come does not overtake, however long interactive callers have been alone', () => {
    const { push, begin } = start(1);
    push(KEY, 40);
    for (let i = 0; i < 20; i++) begin()[0]!.ended();
    push(JOBS);
    expect(lanesOf(begin())).toEqual(['interactive']);
  });

  test('leaves a worker free while interactive callers have items, and for two seconds afterwards', () => {
    const { clock, push, begin, queue } = start(3);
    push(KEY);
    const [interactive] = begin();
    push(JOBS, 30);
    expect(begin()).toHaveLength(2);
    clock.now += 60_000;
    expect(queue.keptFreeMs).toBe(2_000);
    interactive!.ended();
    clock.now += 1_500;
    expect([queue.keptFreeMs, begin()]).toEqual([500, []]);
    push(KEY);
    expect(lanesOf(begin())).toEqual(['interactive']);
  });

  test('takes that worker too when no interactive caller has come for a while', () => {
    const { clock, push, begin } = start(2);
    push(KEY);
    begin()[0]!.ended();
    push(JOBS, 30);
    expect(begin()).toHaveLength(1);
    clock.now += 2_000;
    expect(lanesOf(begin(1))).toEqual(['background']);
  });

  test('shares the only worker: there is none to leave free', () => {
    const { push, begin, queue } = start(1);
    push(KEY);
    begin()[0]!.ended();
    push(JOBS);
    expect([queue.keptFreeMs, lanesOf(begin())]).toEqual([0, ['background']]);
  });

  test('takes turns between environments', () => {
    const { push, begin } = start(1);
    push(JOBS, 200);
    begin()[0]!.ended();
    push(backgroundOf({ environmentId: 2 }));
    expect(begin(3).map(({ item }) => item.name)).toEqual(['2/jobs', '1/jobs', '1/jobs']);
  });
});

test('a closed queue keeps no worker free', () => {
  const { push, begin, queue } = start(2);
  push(KEY);
  begin()[0]!.ended();
  push(JOBS, 2);
  queue.close();
  expect(begin()).toHaveLength(2);
});

test('knows what waits, what runs, and when nothing does', () => {
  const { push, begin, queue } = start(2);
  push(KEY, 3);
  push(JOBS, 2);
  const turns = begin();
  expect(queue.load).toEqual({
    interactive: { queued: 1, running: 2, environmentsQueued: 1 },
    background: { queued: 2, running: 0, environmentsQueued: 1 },
  });
  expect(queue.clear().map(({ name }) => name)).toEqual(['1/key-1', '1/jobs', '1/jobs']);
  expect(queue.isDone).toBe(false);
  for (const { ended } of turns) ended();
  expect(queue.isDone).toBe(true);
});

/**
 * A queue with workers that take every item they may take. Each step is checked against the rules.
 */
class CheckedQueue {
  readonly #workers: number;
  readonly #queue: LaneQueue<Item>;
  readonly #waiting = new Set<Item>();
  readonly #running: Turn<Item>[] = [];
  #now = 0;
  #interactiveAt = -Infinity;
  #passed = 0;

  constructor(workers: number) {
    this.#workers = workers;
    this.#queue = new LaneQueue({
      workers: () => workers,
      gate: new LaneGate(() => this.#now),
    });
  }

  push(tenant: Tenant, count: number): void {
    for (let i = 0; i < count; i++) {
      const item = { name: tenant.caller };
      this.#waiting.add(item);
      this.#queue.push(tenant, item);
    }
  }

  pass(milliseconds: number): void {
    if (this.#isInteractiveThere) this.#interactiveAt = this.#now;
    this.#now += milliseconds;
  }

  end(index: number): void {
    if (this.#isInteractiveThere) this.#interactiveAt = this.#now;
    for (const { ended } of this.#running.splice(index, 1)) ended();
  }

  remove(index: number): void {
    const item = [...this.#waiting][index];
    if (item === undefined) return;
    if (this.#isInteractiveThere) this.#interactiveAt = this.#now;
    expect(this.#queue.delete(item)).toBe(this.#waiting.delete(item));
  }

  begin(): void {
    while (this.#running.length < this.#workers) {
      const waits = this.#queue.load.background.queued > 0;
      const expected = this.#expectedLane();
      const turn = this.#queue.take();
      expect(turn?.lane).toBe(expected);
      if (turn === undefined) return;
      expect(this.#waiting.delete(turn.item)).toBe(true);
      this.#running.push(turn);
      const passes = turn.lane === 'interactive' && waits;
      this.#passed = passes ? Math.min(7, this.#passed + 1) : 0;
    }
  }

  #expectedLane(): Lane | undefined {
    const { interactive, background } = this.#queue.load;
    const isDue = interactive.queued === 0 || this.#passed === 7;
    if (background.queued > 0 && !this.#isKeptFree && isDue) return 'background';
    return interactive.queued > 0 ? 'interactive' : undefined;
  }

  get #isInteractiveThere(): boolean {
    const { queued, running } = this.#queue.load.interactive;
    return queued + running > 0;
  }

  get #isKeptFree(): boolean {
    const isLate = this.#isInteractiveThere || this.#now - this.#interactiveAt < 2_000;
    const { running } = this.#queue.load.background;
    return isLate && this.#workers > 1 && running >= this.#workers - 1;
  }
}

const tenants = fc
  .tuple(fc.constantFrom('1', '2'), fc.constantFrom(KEY, JOBS))
  .map(([environment, tenant]) => ({ ...tenant, environment }));

const steps = fc.array(
  fc.oneof(
    fc.tuple(tenants, fc.nat(12)).map((args) => (queue: CheckedQueue) => queue.push(...args)),
    fc.nat(1_500).map((ms) => (queue: CheckedQueue) => queue.pass(ms)),
    fc.nat(3).map((index) => (queue: CheckedQueue) => queue.end(index)),
    fc.nat(10).map((index) => (queue: CheckedQueue) => queue.remove(index)),
  ),
  { maxLength: 100 },
);

test('whatever comes, ends and leaves: each free worker gets what the rules say, and no item two turns', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), steps, (workers, all) => {
      const queue = new CheckedQueue(workers);
      for (const step of all) {
        step(queue);
        queue.begin();
      }
    }),
    { numRuns: 300 },
  );
});
