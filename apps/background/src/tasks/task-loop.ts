import { Backoff } from '@sightline/core/backoff';
import { isStop } from '@sightline/platform/lifecycle/is-stop';
import type { BackgroundTask } from './background-task.ts';
import { LOOP_STATES, type LoopEvent, type LoopState } from './loop-state.ts';
import type { OutageLog } from './outage-log.ts';

/** The delay of a run after a wake, in ms, if the task sets none. */
const GATHER_MS = 50;
/** By how much a pause may be longer or shorter, as a fraction. */
const JITTER = 0.1;
const RETRY = { firstMs: 500, longestMs: 15_000, jitter: JITTER };

export interface TaskLoopDeps {
  readonly outages: Pick<OutageLog, 'failed' | 'succeeded'>;
  readonly taskFailed?: (task: string) => void;
}

/** Runs one task until it is disposed of. A failed run is logged and retried with exponential backoff. */
export class TaskLoop implements AsyncDisposable {
  readonly #task: BackgroundTask;
  readonly #deps: TaskLoopDeps;
  readonly #stop = new AbortController();
  readonly #backoff = new Backoff(RETRY);
  #ended: Promise<void> = Promise.resolve();
  #state: LoopState = 'running';
  /** Makes the current rest end after this time, in ms; does nothing during a run. */
  #endRestIn: (milliseconds: number) => void = () => undefined;

  constructor(task: BackgroundTask, deps: TaskLoopDeps) {
    this.#task = task;
    this.#deps = deps;
  }

  start(): void {
    this.#ended = this.#loop();
  }

  /** Runs the task soon. A task that is failing runs at its next retry. */
  wake(): void {
    const before = this.#state;
    this.#on('wake');
    if (this.#state !== before) this.#endRestIn(this.#restMs());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#endRestIn(0);
    await this.#ended;
  }

  #on(event: LoopEvent): void {
    this.#state = LOOP_STATES[this.#state][event] ?? this.#state;
  }

  async #loop(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.#on('begin');
      const more = await this.#run(signal);
      if (!more) await this.#rest();
    }
  }

  /** Returns whether the next run follows without a pause. */
  async #run(signal: AbortSignal): Promise<boolean> {
    try {
      const { more } = await this.#task.run(signal, () => this.#works());
      this.#works();
      if (!more) this.#on('end');
      return more;
    } catch (error) {
      if (isStop(error, signal)) return false;
      this.#on('fail');
      this.#deps.taskFailed?.(this.#task.name);
      this.#deps.outages.failed(this.#task.name, error);
      return false;
    }
  }

  #works(): void {
    this.#backoff.reset();
    this.#deps.outages.succeeded(this.#task.name);
  }

  async #rest(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const end = (): void => resolve(undefined);
    let timer = setTimeout(end, this.#restMs());
    this.#endRestIn = (milliseconds) => {
      clearTimeout(timer);
      if (milliseconds === 0) end();
      else timer = setTimeout(end, milliseconds);
    };
    await promise;
    this.#endRestIn = () => undefined;
  }

  #restMs(): number {
    const { everyMs, gatherMs = GATHER_MS } = this.#task;
    if (this.#state === 'retrying') return this.#backoff.next();
    return this.#state === 'gathering'
      ? gatherMs
      : everyMs * (1 + JITTER * (2 * Math.random() - 1));
  }
}
