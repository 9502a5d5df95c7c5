import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SelectedPacks } from '@sightline/engine/packs/select-packs';
import type { Run, RunResult, WorkloadName } from './workloads.ts';

/** The input of a thread. */
export interface BareStart {
  readonly models: SelectedPacks;
  readonly photos: readonly Uint8Array[];
}

/** `bare` runs the whole analysis; `runtime` only its calls of onnxruntime. */
type Side = 'bare' | 'runtime';

/** A task for several threads, which share its operations. */
export interface BareTask {
  readonly workload: WorkloadName;
  readonly side: Side;
  /** A counter in one 32-bit word: the index of the next operation. */
  readonly next: SharedArrayBuffer;
  /** One past the last operation. */
  readonly end: number;
}

export type BareAnswer = Pick<RunResult, 'milliseconds' | 'found'>;

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
