import { type ProcessPlan, SupervisedProcess } from '@sightline/dev-platform/supervised-process';

/** A server in a process of its own, which may be killed, stopped and started again. */
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
   * Settles when it can be used.
   *
   * @throws StartError with its last words if it ends before that
   */
  async start(): Promise<void> {
    this.#process.start();
    await this.#process.untilReady(new AbortController().signal);
  }

  /** Ends it without warning. */
  kill(): Promise<void> {
    return this.#process.kill();
  }

  /** It keeps its connections, takes new ones, and answers none. */
  hang(): void {
    this.#process.hang();
  }

  resume(): void {
    this.#process.resume();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }
}
