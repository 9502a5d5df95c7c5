import { setTimeout as delay } from 'node:timers/promises';
import { Backoff } from '@sightline/core/backoff';
import { type ServiceCommand, ServiceProcess } from '@sightline/platform/lifecycle/service-process';
import { StartError } from '@sightline/platform/lifecycle/start-error';

export interface ProcessPlan extends ServiceCommand {
  readonly name: string;
  /** Whether the process can be used. The supervisor polls this function. */
  readonly isReady: () => Promise<boolean>;
}

export interface Supervision {
  /** Whether a process is restarted if it ends by itself after it was ready. */
  readonly restart: boolean;
  readonly onLine: (name: string, line: string) => void;
  /** Receives a description of each unexpected end of a process. */
  readonly onEvent: (name: string, event: string) => void;
}

const POLL_MS = 100;
const RETRY = { firstMs: 500, longestMs: 15_000 };
/**
 * If a process has run for this time, in ms, its next end resets the backoff, so that the pause before the restart is
 * short again.
 */
const STEADY_MS = 30_000;

/** A process that is restarted if it ends by itself. */
export class SupervisedProcess implements AsyncDisposable {
  readonly plan: ProcessPlan;
  readonly #supervision: Supervision;
  #process: ServiceProcess | null = null;
  #isRunning = false;
  #shouldRun = false;
  #wasReady = false;
  readonly #backoff = new Backoff(RETRY);
  /** Ends the pause before a restart. */
  #stopWaiting = new AbortController();

  constructor(plan: ProcessPlan, supervision: Supervision) {
    this.plan = plan;
    this.#supervision = supervision;
  }

  /** The id of the process; undefined while it does not run. */
  get pid(): number | undefined {
    return this.#running()?.pid;
  }

  start(): void {
    this.#shouldRun = true;
    this.#stopWaiting = new AbortController();
    if (!this.#isRunning) this.#launch();
  }

  /**
   * Resolves once the process can be used.
   *
   * @throws StartError if the process ends and is not restarted; the signal's reason on abort
   */
  async untilReady(signal: AbortSignal): Promise<void> {
    while (!(await this.plan.isReady())) {
      if (!this.#shouldRun) throw await this.#endError();
      await delay(POLL_MS, undefined, { signal });
    }
    this.#wasReady = true;
  }

  async stop(): Promise<void> {
    this.#shouldRun = false;
    this.#stopWaiting.abort();
    await this.#running()?.stop();
  }

  /** Kills the process, which the supervisor then restarts as after a crash. */
  async kill(): Promise<void> {
    await this.#running()?.kill();
  }

  /** Pauses the process. The system still accepts connections for the process, but the process answers nothing. */
  hang(): void {
    this.#running()?.pause();
  }

  resume(): void {
    this.#running()?.resume();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #running(): ServiceProcess | null {
    return this.#isRunning ? this.#process : null;
  }

  #launch(): void {
    const { name } = this.plan;
    const start = performance.now();
    const started = new ServiceProcess(this.plan, (line) => this.#supervision.onLine(name, line));
    this.#process = started;
    this.#isRunning = true;
    void started.ended.then((how) => {
      this.#isRunning = false;
      if (performance.now() - start > STEADY_MS) this.#backoff.reset();
      if (this.#shouldRun) void this.#restart(how);
    });
  }

  async #restart(how: string): Promise<void> {
    const { restart, onEvent } = this.#supervision;
    const { name } = this.plan;
    if (!restart || !this.#wasReady) {
      this.#shouldRun = false;
      onEvent(name, how);
      return;
    }
    onEvent(name, `${how}; restarting`);
    const { signal } = this.#stopWaiting;
    await delay(this.#backoff.next(), undefined, { signal }).catch(() => undefined);
    if (!signal.aborted && !this.#isRunning) this.#launch();
  }

  async #endError(): Promise<StartError> {
    const lines = (await this.#process?.lastErrorLines()) ?? [];
    const reason = lines.findLast((line) => line.trim() !== '');
    return new StartError(
      `The process ${this.plan.name} ended${reason === undefined ? '' : `: ${reason}`}`,
    );
  }
}
