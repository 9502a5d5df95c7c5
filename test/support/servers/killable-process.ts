import { type ProcessPlan, SupervisedProcess } from '@sightline/dev-platform/supervised-process';
import { waitUntilStopped } from './wait-until-stopped.ts';

/** A server process that a test may kill, pause and restart. */
export abstract class KillableProcess implements AsyncDisposable {
  readonly #process: SupervisedProcess;

  protected constructor(plan: ProcessPlan) {
    this.#process = new SupervisedProcess(plan, {
      restart: false,
      onLine: () => undefined,
      onEvent: () => undefined,
    });
  }

  /**
   * Starts the process and waits until it is ready.
   * @throws StartError with its last line if the process ends before it is ready
   */
  async start(): Promise<void> {
    this.#process.start();
    await this.#process.untilReady(new AbortController().signal);
  }

  /** Whether the process has started and not ended, by itself or because a test killed it. */
  get isRunning(): boolean {
    return this.#process.pid !== undefined;
  }

  /** Kills the process with SIGKILL. */
  kill(): Promise<void> {
    return this.#process.kill();
  }

  /** Pauses the process. It keeps its connections and accepts new ones, but answers no request. */
  hang(): void {
    this.#process.hang();
    const { pid } = this.#process;
    if (pid !== undefined) waitUntilStopped(pid);
  }

  resume(): void {
    this.#process.resume();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}
