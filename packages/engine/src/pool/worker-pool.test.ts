import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { backgroundOf, type Tenant } from '@sightline/core/analysis/tenant';
import {
  CELL,
  type Misbehavior,
  type ScriptedJob,
  type ScriptedResult,
  type WayToHelp,
} from './fixtures/scripted-job.ts';
import { LaneGate } from './lane-gate.ts';
import { WorkerPool, type WorkerPoolOptions } from './worker-pool.ts';

type ScriptedPool = WorkerPool<ScriptedJob, ScriptedResult, { readonly starts: number }>;

let cells: Int32Array<SharedArrayBuffer>;
let idleCount: Int32Array<SharedArrayBuffer>;
let seen: { waits: number[]; lanes: string[]; refused: string[]; lost: unknown[]; helps: number };
let pools: ScriptedPool[];

beforeEach(() => {
  cells = new Int32Array(new SharedArrayBuffer(64));
  idleCount = new Int32Array(new SharedArrayBuffer(4));
  seen = { waits: [], lanes: [], refused: [], lost: [], helps: 0 };
  pools = [];
});

afterEach(async () => {
  await Promise.all(pools.map((pool) => pool.close(AbortSignal.abort())));
});

async function open(options: Partial<WorkerPoolOptions> = {}): Promise<ScriptedPool> {
  const pool: ScriptedPool = await WorkerPool.start({
    script: new URL('./fixtures/scripted-worker.ts', import.meta.url),
    size: 1,
    queueLimit: 10,
    startData: () => cells.buffer,
    idleCount: idleCount.buffer,
    observer: {
      jobStarted: (waited, lane) => {
        seen.waits.push(waited);
        seen.lanes.push(lane);
      },
      jobRefused: (cause) => seen.refused.push(cause),
      helpStarted: () => seen.helps++,
      workerLost: (reason) => seen.lost.push(reason),
    },
    ...options,
  });
  pools.push(pool);
  return pool;
}

function openGate(): void {
  Atomics.store(cells, CELL.gate, 1);
  Atomics.notify(cells, CELL.gate);
}

/**
 * Resolves when a cell has at least this value. If the cell never reaches the value, the test times
 * out.
 */
async function reach(cell: number, min: number): Promise<void> {
  while (Atomics.load(cells, cell) < min) await sleep(2);
}

const echo = (value: unknown): ScriptedJob => ({ do: 'echo', value });
const share = (way: WayToHelp, helpers = 9): ScriptedJob => ({ do: 'share', helpers, way });
const misbehave = (behavior: Misbehavior): ScriptedJob => ({ do: 'misbehave', behavior });
/**
 * Matches an error by its code, because errors of another realm are not instances of this realm's
 * classes.
 */
const withCode = (code: string) => expect.objectContaining({ code });
const NONE = { queued: 0, running: 0, environmentsQueued: 0 };
const NO_LOAD = { interactive: NONE, background: NONE };
const DIED = expect.objectContaining({ name: 'AnalysisFailed', code: 'inference_unavailable' });
const UNAVAILABLE = withCode('inference_unavailable');

describe('a worker pool', () => {
  test('starts as many threads as its first one leaves room for', async () => {
    const sizes = [3, 1, 99].map((most) => open({ size: 4, sizeAfterFirst: () => most }));
    expect((await Promise.all(sizes)).map(({ alive }) => alive)).toEqual([3, 1, 4]);
  });

  test('runs jobs and returns what the workers report about themselves', async () => {
    const pool = await open({ size: 2, queueLimit: 10 });
    const values = ['a', 'b', 'c', 'd', 'e'];
    const results = await Promise.all(values.map((value) => pool.run(echo(value))));
    expect(results.map(({ value }) => value)).toEqual(values);
    expect(pool.alive).toBe(2);
    expect([1, 2]).toContain(pool.ready.starts);
  });

  test('transfers buffers in both directions', async () => {
    const pool = await open();
    const bytes = new Uint8Array([1, 2, 3]);
    const answer = pool.run({ do: 'reverse', bytes }, { transfer: [bytes.buffer] });
    expect(bytes.byteLength).toBe(0);
    expect((await answer).value).toEqual(new Uint8Array([3, 2, 1]));
  });

  test('gives each worker one job at a time; the others wait', async () => {
    const pool = await open({ size: 2, queueLimit: 10 });
    const jobs = [1, 2, 3, 4].map(() => pool.run({ do: 'wait' }));
    await reach(CELL.entered, 2);
    expect(pool.load.interactive).toEqual({ queued: 2, running: 2, environmentsQueued: 1 });
    await sleep(50);
    expect(Atomics.load(cells, CELL.entered)).toBe(2);
    openGate();
    await Promise.all(jobs);
    expect(pool.load).toEqual(NO_LOAD);
    expect(seen.waits).toHaveLength(4);
    expect(Math.max(...seen.waits)).toBeGreaterThan(45);
  });

  test('serves jobs in order of arrival', async () => {
    const pool = await open({ queueLimit: 10 });
    const order: number[] = [];
    const jobs = [1, 2, 3, 4].map((n) => pool.run(echo(n)).then(() => order.push(n)));
    await Promise.all(jobs);
    expect(order).toEqual([1, 2, 3, 4]);
  });
});

describe('a full queue', () => {
  test('rejects with a retry time, and accepts jobs again later', async () => {
    const pool = await open({ queueLimit: 1 });
    const jobs = [1, 2].map(() => pool.run({ do: 'wait' }));
    await expect(pool.run(echo(1))).rejects.toMatchObject({
      code: 'overloaded',
      retryAfterSeconds: 1,
    });
    openGate();
    await Promise.all(jobs);
    await expect(pool.run(echo(1))).resolves.toEqual({ value: 1 });
  });

  test('the retry time grows with the queue and the duration of recent jobs', async () => {
    // If only one tenant is active, it gets four of the ten positions in the queue.
    const pool = await open({ queueLimit: 10 });
    const begun = performance.now();
    const first = pool.run({ do: 'wait' });
    await reach(CELL.entered, 1);
    await sleep(600);
    openGate();
    await first;
    const longest = performance.now() - begun;
    Atomics.store(cells, CELL.gate, 0);
    const jobs = [1, 2, 3, 4, 5].map(() => pool.run({ do: 'wait' }));
    const refusal: unknown = await pool.run(echo(1)).catch((error: unknown) => error);
    const { retryAfterSeconds } = refusal as { readonly retryAfterSeconds: number };
    // Four jobs wait, each for as long as the first job took: 0.6 s, or more on a busy machine.
    expect(retryAfterSeconds).toBeGreaterThanOrEqual(3);
    expect(retryAfterSeconds).toBeLessThanOrEqual(Math.ceil((4 * longest) / 1000));
    openGate();
    await Promise.all(jobs);
  });
});

describe('tenants', () => {
  const FLOOD = { environment: '1', caller: 'key-1' };
  const OTHER = { environment: '2', caller: 'key-2' };

  test('take turns: one that comes beside a flood finds a place and is next', async () => {
    const pool = await open({ queueLimit: 12 });
    const order: string[] = [];
    const run = (tenant: typeof FLOOD) =>
      pool.run({ do: 'wait' }, { tenant }).then(() => order.push(tenant.environment));
    const outcomes = Promise.allSettled(Array.from({ length: 20 }, () => run(FLOOD)));
    await reach(CELL.entered, 1);
    expect(pool.load.interactive).toMatchObject({ queued: 4, running: 1 });
    expect(seen.refused).toEqual(Array.from({ length: 15 }, () => 'over_share'));
    expect(() => pool.requireRoom(FLOOD)).toThrow(expect.objectContaining({ code: 'overloaded' }));
    pool.requireRoom(OTHER);
    const other = run(OTHER);
    expect(pool.load.interactive.environmentsQueued).toBe(2);
    openGate();
    await Promise.all([outcomes, other]);
    expect(order).toEqual(['1', '2', '1', '1', '1', '1']);
  });

  test('that have aborted give back their places', async () => {
    const pool = await open({ queueLimit: 2 });
    const running = pool.run({ do: 'wait' }, { tenant: FLOOD });
    const controller = new AbortController();
    const waiting = pool.run(echo(1), { tenant: FLOOD, signal: controller.signal });
    expect(() => pool.requireRoom(FLOOD)).toThrow(expect.objectContaining({ code: 'overloaded' }));
    controller.abort(new Error('the caller left'));
    await expect(waiting).rejects.toThrow('the caller left');
    pool.requireRoom(FLOOD);
    openGate();
    await running;
  });
});

describe('background jobs', () => {
  const KEY = { environment: '1', caller: 'key-1' };
  const JOBS = backgroundOf({ environmentId: 1 });

  test('of any number wait, and an interactive one is next', async () => {
    const pool = await open({ queueLimit: 1 });
    const order: string[] = [];
    const run = (tenant: Tenant) =>
      pool.run({ do: 'wait' }, { tenant }).then(() => order.push(tenant.caller));
    const jobs = Array.from({ length: 30 }, () => run(JOBS));
    await reach(CELL.entered, 1);
    pool.requireRoom(KEY);
    const interactive = run(KEY);
    expect(() => pool.requireRoom(KEY)).toThrow(expect.objectContaining({ code: 'overloaded' }));
    pool.requireRoom(JOBS);
    openGate();
    await Promise.all([...jobs, interactive]);
    expect([order.length, order.indexOf('key-1')]).toEqual([31, 1]);
    expect(seen.lanes.filter((lane) => lane === 'background')).toHaveLength(30);
  });

  test('leave a worker to interactive ones, and take it when none has come for a while', async () => {
    const pool = await open({ size: 2 });
    await pool.run(echo(1), { tenant: KEY });
    const jobs = [1, 2, 3].map(() => pool.run({ do: 'wait' }, { tenant: JOBS }));
    await reach(CELL.entered, 1);
    expect(pool.load.background).toMatchObject({ queued: 2, running: 1 });
    await expect(pool.run(echo(2), { tenant: KEY })).resolves.toEqual({ value: 2 });
    // No job ends before two jobs have entered, so the second job must begin on the free worker.
    await reach(CELL.entered, 2);
    expect(pool.load.background).toMatchObject({ queued: 1, running: 2 });
    openGate();
    await Promise.all(jobs);
  });

  test('take all workers of a pool that is closing', async () => {
    const pool = await open({ size: 2 });
    await pool.run(echo(1), { tenant: KEY });
    const jobs = [1, 2].map(() => pool.run({ do: 'wait' }, { tenant: JOBS }));
    const closed = pool.close();
    expect(pool.load.background).toMatchObject({ queued: 0, running: 2 });
    openGate();
    await Promise.all([...jobs, closed]);
  });

  test('fail with the others if no worker is left, and leave when they are aborted', async () => {
    const pool = await open();
    const controller = new AbortController();
    const running = pool.run({ do: 'wait' }, { tenant: KEY });
    const [waiting, aborted] = [undefined, controller.signal].map((signal) =>
      pool.run(echo(1), { tenant: JOBS, signal }),
    );
    controller.abort(new Error('the job was canceled'));
    await expect(aborted).rejects.toThrow('the job was canceled');
    expect(pool.load.background).toMatchObject({ queued: 1 });
    const outcomes = Promise.allSettled([running, waiting]);
    await pool.close(AbortSignal.abort());
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});

describe('an abort', () => {
  const reason = new Error('the caller left');

  test('before the call rejects it', async () => {
    const pool = await open();
    await expect(pool.run(echo(1), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test('removes a queued job at once', async () => {
    const pool = await open({ queueLimit: 1 });
    const running = pool.run({ do: 'wait' });
    const controller = new AbortController();
    const waiting = pool.run({ do: 'wait' }, { signal: controller.signal });
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    const next = pool.run(echo('next'));
    openGate();
    await Promise.all([running, next]);
    expect(Atomics.load(cells, CELL.entered)).toBe(1);
  });

  test.each(['wait', 'block'] as const)(
    'of a running job reaches caller and worker, and the thread survives (%s)',
    async (way) => {
      const pool = await open();
      const controller = new AbortController();
      const running = pool.run({ do: way }, { signal: controller.signal });
      await reach(CELL.entered, 1);
      controller.abort(reason);
      await expect(running).rejects.toBe(reason);
      const next = pool.run(echo('next'));
      openGate();
      await expect(next).resolves.toEqual({ value: 'next' });
      expect(Atomics.load(cells, CELL.aborts)).toBe(1);
      expect(Atomics.load(cells, CELL.starts)).toBe(1);
    },
  );

  test('after the result has no effect', async () => {
    const pool = await open();
    const controller = new AbortController();
    await pool.run(echo(1), { signal: controller.signal });
    controller.abort(reason);
    await expect(pool.run(echo(2))).resolves.toEqual({ value: 2 });
  });
});

describe('an error in a worker', () => {
  test('of the domain arrives with code, message and facts', async () => {
    const pool = await open();
    await expect(pool.run(misbehave('refuse'))).rejects.toMatchObject({
      name: 'ImageCorrupt',
      code: 'image_corrupt',
      message: 'The image ends early.',
      facts: { reason: 'truncated' },
    });
  });

  test('of any other kind means unavailable, with the error as cause', async () => {
    const pool = await open();
    await expect(pool.run(misbehave('throw'))).rejects.toMatchObject({
      code: 'inference_unavailable',
      name: 'AnalysisFailed',
      cause: {
        name: 'TypeError',
        message: 'x is not a function',
        stack: expect.stringContaining('scripted-worker.ts'),
      },
    });
    expect(seen.lost).toHaveLength(0);
  });

  test('while sending a result fails only that job', async () => {
    const pool = await open();
    await expect(pool.run(misbehave('answer_unsendable'))).rejects.toEqual(UNAVAILABLE);
    await expect(pool.run(echo(1))).resolves.toEqual({ value: 1 });
  });

  test('a job that cannot be sent is rejected, and the worker serves the next', async () => {
    const pool = await open();
    await expect(pool.run(echo(() => undefined))).rejects.toMatchObject({ name: 'DataCloneError' });
    await expect(pool.run(echo(1))).resolves.toEqual({ value: 1 });
  });
});

describe('work that a job shares', () => {
  const KEY = { environment: '1', caller: 'key-1' };
  const JOBS = backgroundOf({ environmentId: 1 });
  const count = (cell: number) => Atomics.load(cells, cell);
  /** Waits long enough for a worker to begin to help if the pool had asked it to. */
  const noMoreHelp = () => sleep(50);

  test.each([
    ['all idle workers', 9, 3],
    ['as many idle workers as are useful', 2, 2],
  ])('is done by %s', async (_what, helpers, expected) => {
    const pool = await open({ size: 4 });
    expect(idleCount[0]).toBe(4);
    const job = pool.run(share('step', helpers));
    await reach(CELL.helpsBegun, expected);
    await noMoreHelp();
    expect([count(CELL.helpsBegun), seen.helps]).toEqual([expected, expected]);
    // A worker that helps processes no image.
    expect(pool.load.interactive).toMatchObject({ queued: 0, running: 1 });
    expect(idleCount[0]).toBe(3 - expected);
    openGate();
    await expect(job).resolves.toEqual({ value: 'shared' });
    while (idleCount[0]! < 4) await sleep(2);
  });

  test('is left to its worker if the others are busy', async () => {
    const pool = await open({ size: 2 });
    const busy = pool.run({ do: 'wait' });
    expect(idleCount[0]).toBe(1);
    const job = pool.run(share('step'));
    await reach(CELL.entered, 2);
    expect(idleCount[0]).toBe(0);
    await noMoreHelp();
    openGate();
    await Promise.all([busy, job]);
    expect(seen.helps).toBe(0);
  });

  test('ends for a worker that gets a job', async () => {
    const pool = await open({ size: 2 });
    const sharing = pool.run(share('step'));
    await reach(CELL.helpsBegun, 1);
    pool.requireRoom(KEY);
    await expect(pool.run(echo('next'), { tenant: KEY })).resolves.toEqual({ value: 'next' });
    expect([count(CELL.helpsEnded), idleCount[0]]).toEqual([1, 1]);
    openGate();
    await sharing;
  });

  test('an abort reaches a job that waits until its worker has ended its step', async () => {
    const pool = await open({ size: 2 });
    const sharing = pool.run(share('block'));
    await reach(CELL.helpsBegun, 1);
    const controller = new AbortController();
    const next = pool.run({ do: 'wait' }, { signal: controller.signal });
    controller.abort(new Error('the caller left'));
    await expect(next).rejects.toThrow('the caller left');
    expect(count(CELL.entered)).toBe(1);
    openGate();
    await sharing;
    await reach(CELL.aborts, 1);
  });

  test('goes on for workers that help if another idle one can take a job', async () => {
    const pool = await open({ size: 3 });
    const sharing = pool.run(share('step', 1));
    await reach(CELL.helpsBegun, 1);
    for (const value of [1, 2, 3]) {
      await expect(pool.run(echo(value))).resolves.toEqual({ value });
    }
    expect(count(CELL.helpsEnded)).toBe(0);
    openGate();
    await sharing;
  });

  test.each(['exit', 'throw'] as const)('does not fail if a helper does (%s)', async (way) => {
    const pool = await open({ size: 2 });
    const job = pool.run(share(way));
    await reach(CELL.helpsBegun, 1);
    while (idleCount[0] === 0) await sleep(2);
    openGate();
    await expect(job).resolves.toEqual({ value: 'shared' });
    await expect(Promise.all([1, 2].map((n) => pool.run(echo(n))))).resolves.toHaveLength(2);
    expect([seen.lost.length, pool.alive]).toEqual([way === 'exit' ? 1 : 0, 2]);
  });

  test('of a background job waits while the worker is kept free for interactive ones', async () => {
    const pool = await open({ size: 2 });
    await pool.run(echo(1), { tenant: KEY });
    const job = pool.run(share('step'), { tenant: JOBS });
    await reach(CELL.entered, 1);
    await noMoreHelp();
    expect(seen.helps).toBe(0);
    openGate();
    await job;
  });

  test('does not take cores on which workers of another pool run', async () => {
    const gate = new LaneGate();
    const [first, second] = [await open({ size: 2, gate }), await open({ size: 2, gate })];
    const busy = second.run({ do: 'wait' });
    const job = first.run(share('step'));
    await reach(CELL.entered, 2);
    await noMoreHelp();
    openGate();
    await Promise.all([busy, job]);
    expect(seen.helps).toBe(0);
  });

  test('is finished with its helpers when the pool closes', async () => {
    const pool = await open({ size: 2 });
    const job = pool.run(share('step'));
    await reach(CELL.helpsBegun, 1);
    const closed = pool.close();
    openGate();
    await expect(job).resolves.toEqual({ value: 'shared' });
    await closed;
    expect([count(CELL.helpsEnded), count(CELL.disposals)]).toEqual([1, 2]);
  });

  test('and its helpers end when the pool does not wait for them', async () => {
    const pool = await open({ size: 2 });
    const job = expect(pool.run(share('step'))).rejects.toEqual(UNAVAILABLE);
    await reach(CELL.helpsBegun, 1);
    await pool.close(AbortSignal.abort());
    await job;
    expect(count(CELL.helpsEnded)).toBe(1);
    expect(pool.alive).toBe(0);
  });
});

describe('a worker that dies', () => {
  test.each(['exit', 'throw_later', 'fill_heap'] as const)(
    'fails only its own job and is replaced (%s)',
    async (way) => {
      const vacated: number[] = [];
      const pool = await open({
        size: 2,
        resourceLimits: { maxOldGenerationSizeMb: 32 },
        onSlotVacated: (slot) => vacated.push(slot),
      });
      const bystander = pool.run({ do: 'wait' });
      const [broken, waiting] = [pool.run(misbehave(way)), pool.run(echo('waited'))];
      await expect(broken).rejects.toEqual(DIED);
      await expect(waiting).resolves.toEqual({ value: 'waited' });
      openGate();
      await expect(bystander).resolves.toEqual({ value: 'let through' });
      expect(seen.lost).toHaveLength(1);
      expect(vacated).toHaveLength(1);
      expect(Atomics.load(cells, CELL.starts)).toBe(3);
      expect(pool.alive).toBe(2);
    },
  );

  test('while idle gets no job, and its replacement gets one at a time', async () => {
    const died = Promise.withResolvers<undefined>();
    const workerLost = () => died.resolve(undefined);
    const pool = await open({
      observer: { jobStarted: () => undefined, jobRefused: () => undefined, workerLost },
    });
    await pool.run(misbehave('answer_then_exit'));
    await died.promise;
    expect(pool.alive).toBe(0);
    const jobs = [pool.run({ do: 'wait' }), pool.run({ do: 'wait' })];
    await reach(CELL.entered, 1);
    expect(pool.load.interactive).toEqual({ queued: 1, running: 1, environmentsQueued: 1 });
    openGate();
    await Promise.all(jobs);
    expect(Atomics.load(cells, CELL.starts)).toBe(2);
  });

  test('and whose replacements fail to start fails all jobs until one starts', async () => {
    const pool = await open();
    Atomics.store(cells, CELL.refuseStart, 1);
    await expect(pool.run(misbehave('exit'))).rejects.toEqual(UNAVAILABLE);
    await expect(pool.run(echo('waits, then fails'))).rejects.toEqual(UNAVAILABLE);
    await expect(pool.run(echo('fails at once'))).rejects.toEqual(UNAVAILABLE);
    expect(pool.alive).toBe(0);
    await reach(CELL.starts, 4);
    expect(seen.lost.at(-1)).toMatchObject({ cause: { code: 'model_load_failed' } });
    Atomics.store(cells, CELL.refuseStart, 0);
    while (pool.alive === 0) await sleep(10);
    await expect(pool.run(echo(1))).resolves.toEqual({ value: 1 });
  });
});

describe('a job that does not end', () => {
  const HANGS: ScriptedJob = { do: 'block' };

  test('is canceled at its time limit, fails, and its thread is replaced', async () => {
    const pool = await open({ jobLimits: { runMs: 1_000, hangMs: 1_000 } });
    const jobs = [pool.run(HANGS), pool.run(echo('next'))];
    await expect(jobs[0]).rejects.toEqual(DIED);
    await expect(jobs[1]).resolves.toEqual({ value: 'next' });
    expect(seen.lost).toHaveLength(1);
    expect(Atomics.load(cells, CELL.starts)).toBe(2);
  });

  test('loses its thread after its caller has left', async () => {
    const pool = await open({ jobLimits: { runMs: 300_000, hangMs: 20 } });
    const controller = new AbortController();
    const running = pool.run(HANGS, { signal: controller.signal });
    await reach(CELL.entered, 1);
    const next = pool.run(echo('next'));
    controller.abort(new Error('the caller left'));
    await expect(running).rejects.toThrow('the caller left');
    await expect(next).resolves.toEqual({ value: 'next' });
    expect(pool.load).toEqual(NO_LOAD);
  });

  test('keeps its thread if it ends soon after it was canceled', async () => {
    const pool = await open({ jobLimits: { runMs: 20, hangMs: 300_000 } });
    const running = pool.run(HANGS).catch((error: unknown) => error);
    await reach(CELL.entered, 1);
    await sleep(100);
    openGate();
    await running;
    await expect(pool.run(echo('next'))).resolves.toEqual({ value: 'next' });
    expect(Atomics.load(cells, CELL.starts)).toBe(1);
  });
});

describe('starting', () => {
  test('fails with the error of the worker that fails to start', async () => {
    Atomics.store(cells, CELL.refuseStart, 1);
    await expect(open({ size: 2 })).rejects.toMatchObject({
      code: 'model_load_failed',
      message: 'model.onnx is damaged.',
      facts: { file: 'model.onnx' },
    });
  });

  test('fails with the error that a worker throws while it loads', async () => {
    const script = new URL('./fixtures/no-such-worker.ts', import.meta.url);
    await expect(open({ script })).rejects.toMatchObject({
      message: expect.stringContaining('no-such-worker.ts'),
    });
  });
});

describe('closing', () => {
  test("finishes running and queued jobs, takes no more, and closes the workers' resources", async () => {
    const pool = await open();
    const jobs = [pool.run({ do: 'wait' }), pool.run(echo('waiting'))];
    const closed = pool.close();
    await expect(pool.run(echo(1))).rejects.toEqual(UNAVAILABLE);
    openGate();
    await expect(Promise.all(jobs)).resolves.toHaveLength(2);
    await closed;
    expect(pool.alive).toBe(0);
    expect(Atomics.load(cells, CELL.disposals)).toBe(1);
    expect(seen.lost).toHaveLength(0);
  });

  test('proceeds when the last queued job is aborted', async () => {
    const pool = await open();
    const controller = new AbortController();
    const running = pool.run({ do: 'wait' });
    const waiting = pool.run(echo(1), { signal: controller.signal });
    const closed = pool.close();
    openGate();
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
    await running;
    await closed;
  });

  test('fails the remaining jobs when its signal aborts, even if a thread is blocked', async () => {
    const pool = await open();
    const jobs = [pool.run({ do: 'block' }), pool.run(echo('waiting'))];
    const outcomes = Promise.allSettled(jobs);
    await reach(CELL.entered, 1);
    await pool.close(AbortSignal.timeout(20));
    expect(await outcomes).toEqual([
      { status: 'rejected', reason: UNAVAILABLE },
      { status: 'rejected', reason: UNAVAILABLE },
    ]);
    expect(await outcomes).not.toContainEqual({ status: 'rejected', reason: DIED });
    expect(pool.alive).toBe(0);
  });

  test('ends even while a replacement waits for its retry', async () => {
    const pool = await open();
    Atomics.store(cells, CELL.refuseStart, 1);
    await expect(pool.run(misbehave('exit'))).rejects.toEqual(UNAVAILABLE);
    await reach(CELL.starts, 2);
    await pool.close();
    const starts = Atomics.load(cells, CELL.starts);
    await sleep(200);
    expect(Atomics.load(cells, CELL.starts)).toBe(starts);
  });
});

test('random jobs, aborts and crashes: each job has its own result, and the pool recovers', async () => {
  const pool = await open({ size: 2, queueLimit: 2000 });
  openGate();
  const random = randomNumbers(20_261_121);
  const jobs = Array.from({ length: 400 }, async (_, index) => {
    const { job, outcome } = randomJob(random(), index);
    const controller = new AbortController();
    if (random() < 0.3) setTimeout(() => controller.abort(), random() * 300);
    const tenant = backgroundOf({ environmentId: index % 3 });
    const options = { signal: controller.signal, ...(random() < 0.5 && { tenant }) };
    const actual = await pool.run(job, options).then(
      ({ value }) => value,
      (error: unknown) => (error as Error).name,
    );
    return actual === outcome || (controller.signal.aborted && actual === 'AbortError');
  });
  expect(await Promise.all(jobs)).toEqual(jobs.map(() => true));
  const runs = () => pool.load.interactive.running + pool.load.background.running > 0;
  while (pool.alive < 2 || runs()) await sleep(5);
  expect(pool.load).toEqual(NO_LOAD);
  expect(seen.lost.length).toBeGreaterThan(0);
  expect(Atomics.load(cells, CELL.starts)).toBe(2 + seen.lost.length);
});

function randomJob(chance: number, index: number): { job: ScriptedJob; outcome: unknown } {
  if (chance < 0.02) return { job: misbehave('exit'), outcome: 'AnalysisFailed' };
  if (chance < 0.03) return { job: misbehave('throw_later'), outcome: 'AnalysisFailed' };
  if (chance < 0.1) return { job: misbehave('refuse'), outcome: 'ImageCorrupt' };
  if (chance < 0.12) return { job: share('exit'), outcome: 'shared' };
  if (chance < 0.3) return { job: share('step'), outcome: 'shared' };
  if (chance < 0.5) return { job: echo(index), outcome: index };
  return { job: { do: 'block' }, outcome: 'let through' };
}

/** Returns a generator of reproducible numbers in 0..1 (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
