import { isStop } from '@sightline/platform/lifecycle/is-stop';
import type { BackgroundTask } from './background-task.ts';
import type { OutageLog } from './outage-log.ts';

const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 15_000;
/** Wakes within this time, in ms, share one run, unless the task says otherwise. */
const GATHER_MS = 50;
/** How much a pause varies, as a share in both directions. */
const JITTER = 0.1;

export interface TaskLoopDeps {
  /** Shared by the loops of a process. */
  readonly outages: Pick<OutageLog, 'failed' | 'succeeded'>;
  readonly taskFailed?: (task: string) => void;
}

/** Runs one task until it is disposed of. A failed run is logged and retried with exponential backoff. */
export class TaskLoop implements AsyncDisposable {
  readonly #task: BackgroundTask;
  readonly #deps: TaskLoopDeps;
  readonly #stop = new AbortController();
  #ended: Promise<void> = Promise.resolve();
  #failures = 0;
  /** Whether a caller asked for a run since the last one began. */
  #isWoken = false;
  #endRest: (() => void) | null = null;
  #endRestSoon: (() => void) | null = null;

  constructor(task: BackgroundTask, deps: TaskLoopDeps) {
    this.#task = task;
    this.#deps = deps;
  }

  start(): void {
    this.#ended = this.#loop();
  }

  /** Lets the task run soon, unless it is failing: then it waits for its turn. */
  wake(): void {
    const isFirst = !this.#isWoken;
    this.#isWoken = true;
    if (isFirst && this.#failures === 0) this.#endRestSoon?.();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#endRest?.();
    await this.#ended;
  }

  async #loop(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.#isWoken = false;
      const more = await this.#run(signal);
      if (!more) await this.#rest();
    }
  }

  /** Returns whether to run again without a pause. */
  async #run(signal: AbortSignal): Promise<boolean> {
    try {
      const { more } = await this.#task.run(signal, () => this.#works());
      this.#works();
      return more;
    } catch (error) {
      if (isStop(error, signal)) return false;
      this.#failures++;
      this.#deps.taskFailed?.(this.#task.name);
      this.#deps.outages.failed(this.#task.name, error);
      return false;
    }
  }

  #works(): void {
    this.#failures = 0;
    this.#deps.outages.succeeded(this.#task.name);
  }

  async #rest(): Promise<void> {
    if (this.#stop.signal.aborted) return;
    const { gatherMs = GATHER_MS } = this.#task;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      const wakeAfter = (milliseconds: number): void => {
        clearTimeout(timer);
        timer = setTimeout(resolve, milliseconds);
      };
      this.#endRest = resolve;
      this.#endRestSoon = () => wakeAfter(gatherMs);
      wakeAfter(this.#isWoken && this.#failures === 0 ? gatherMs : this.#restMs());
    });
    clearTimeout(timer);
    this.#endRest = null;
    this.#endRestSoon = null;
  }

  #restMs(): number {
    const jitter = 1 + JITTER * (2 * Math.random() - 1);
    if (this.#failures === 0) return this.#task.everyMs * jitter;
    return Math.min(FIRST_RETRY_MS * 2 ** (this.#failures - 1), LAST_RETRY_MS) * jitter;
  }
}
