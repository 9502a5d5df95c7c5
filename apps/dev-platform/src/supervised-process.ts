import { setTimeout as delay } from 'node:timers/promises';
import { Backoff } from '@sightline/core/backoff';
import { type ServiceCommand, ServiceProcess } from '@sightline/platform/lifecycle/service-process';
import { StartError } from '@sightline/platform/lifecycle/start-error';

export interface ProcessPlan extends ServiceCommand {
  readonly name: string;
  /** Whether the process can be used; called repeatedly. */
  readonly isReady: () => Promise<boolean>;
}

export interface Supervision {
  /** Whether a process that was ready is restarted if it ends by itself. */
  readonly restart: boolean;
  /** Receives every line that the process writes. */
  readonly onLine: (name: string, line: string) => void;
  /** Receives how the process ended. */
  readonly onEvent: (name: string, event: string) => void;
}

const POLL_MS = 100;
const RETRY = { firstMs: 500, longestMs: 15_000 };
/**
 * After this time, in ms, the end of a process counts as a new failure, and the pauses before restarts are short again.
 */
const STEADY_MS = 30_000;

/** A process that is restarted if it ends without having been stopped. */
export class SupervisedProcess implements AsyncDisposable {
  readonly plan: ProcessPlan;
  readonly #supervision: Supervision;
  #process: ServiceProcess | null = null;
  #isRunning = false;
  #isWanted = false;
  /** Whether it has been ready. */
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

  /** Starts it if it does not run. */
  start(): void {
    this.#isWanted = true;
    this.#stopWaiting = new AbortController();
    if (!this.#isRunning) this.#launch();
  }

  /**
   * Resolves once the process can be used.
   *
   * @throws StartError if it ends before it was ever ready, or is not restarted; the signal's reason on abort
   */
  async untilReady(signal: AbortSignal): Promise<void> {
    while (!(await this.plan.isReady())) {
      if (!this.#isWanted) throw await this.#endError();
      await delay(POLL_MS, undefined, { signal });
    }
    this.#wasReady = true;
  }

  /** Sends a stop signal and waits for the end. */
  async stop(): Promise<void> {
    this.#isWanted = false;
    this.#stopWaiting.abort();
    await this.#running()?.stop();
  }

  /** Kills the process. The supervisor restarts it as after any other end. */
  async kill(): Promise<void> {
    await this.#running()?.kill();
  }

  /** Pauses the process: connections stay open and new ones are accepted, but none is answered. */
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
      if (this.#isWanted) void this.#restart(how);
    });
  }

  async #restart(how: string): Promise<void> {
    const { restart, onEvent } = this.#supervision;
    const { name } = this.plan;
    if (!restart || !this.#wasReady) {
      this.#isWanted = false;
      onEvent(name, how);
      return;
    }
    onEvent(name, `${how}; it is started again`);
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
