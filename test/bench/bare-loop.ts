import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { BareAnswer, BareStart, BareTask, Side } from './bare-protocol.ts';
import type { Run, RunResult } from './workloads.ts';

interface BareRun extends Run {
  readonly side: Side;
  /** How many of the threads take part; default: all. */
  readonly threads?: number;
}

/**
 * Threads that run the same models on the same photos as the service, without the service. They sleep between
 * two runs.
 */
export class BareLoop implements AsyncDisposable {
  readonly #threads: readonly Worker[];

  private constructor(threads: readonly Worker[]) {
    this.#threads = threads;
  }

  static async start(start: BareStart, threads: number): Promise<BareLoop> {
    const script = new URL('./bare-worker.ts', import.meta.url);
    const started = Array.from(
      { length: threads },
      () => new Worker(script, { workerData: start }),
    );
    await Promise.all(started.map((thread) => once(thread, 'message')));
    return new BareLoop(started);
  }

  async run({ workload, first = 0, operations, side, threads }: BareRun): Promise<RunResult> {
    const next = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
    new Int32Array(next)[0] = first;
    const task: BareTask = { workload, side, next, end: first + operations };
    const start = performance.now();
    const answers = await Promise.all(
      this.#threads.slice(0, threads).map(async (thread) => {
        const answer = once(thread, 'message');
        thread.postMessage(task);
        return ((await answer) as [BareAnswer])[0];
      }),
    );
    return {
      seconds: (performance.now() - start) / 1000,
      milliseconds: answers.flatMap(({ milliseconds }) => milliseconds),
      found: answers.reduce((sum, { found }) => sum + found, 0),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
  }
}
