import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { endWithThisProcess } from './end-with-this-process.ts';

/** A process as it is to be. */
export interface ProcessPlan {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether it can be used; asked again and again. */
  readonly isReady: () => Promise<boolean>;
}

export interface Supervision {
  /** Whether one that could be used, and ends by itself, is started again. */
  readonly restart: boolean;
  /** Told every line that it writes. */
  readonly onLine: (name: string, line: string) => void;
  /** Told what becomes of it. */
  readonly onEvent: (name: string, event: string) => void;
}

/** It finishes what it has begun, within its own time-outs. */
const STOP_MS = 40_000;
const POLL_MS = 100;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
/** One that ran for so long did not end for the same reason again. */
const STEADY_MS = 30_000;
/** How long the last words of a process may take that has ended: others may hold what it wrote to. */
const LAST_WORDS_MS = 5_000;

/** One process, which is started again when it ends without having been told to. */
export class SupervisedProcess implements AsyncDisposable {
  readonly plan: ProcessPlan;
  readonly #supervision: Supervision;
  #child: ChildProcess | null = null;
  #wanted = false;
  /** Whether it could be used once. */
  #wasReady = false;
  #pauseMs = FIRST_PAUSE_MS;
  #lastWords = '';
  /** Settles when all is read that it wrote. */
  #silent: Promise<unknown> = Promise.resolve();
  /** Ends the pause before another start. */
  #stopWaiting = new AbortController();

  constructor(plan: ProcessPlan, supervision: Supervision) {
    this.plan = plan;
    this.#supervision = supervision;
  }

  /** Undefined while it does not run. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Starts it if it does not run. */
  start(): void {
    this.#wanted = true;
    this.#stopWaiting = new AbortController();
    if (this.#child === null) this.#launch();
  }

  /**
   * Settles when it can be used.
   *
   * @throws StartError if it ends before it could be used at all, as it would again, or is not started
   *   again; the signal's reason on abort
   */
  async untilReady(signal: AbortSignal): Promise<void> {
    while (!(await this.plan.isReady())) {
      if (!this.#wanted) throw await this.#ended();
      await delay(POLL_MS, undefined, { signal });
    }
    this.#wasReady = true;
  }

  /** Asks it to end, and waits for that. */
  async stop(): Promise<void> {
    this.#wanted = false;
    this.#stopWaiting.abort();
    const child = this.#child;
    if (child === null) return;
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    // Whatever was stopped in its tracks cannot end.
    child.kill('SIGCONT');
    const tooLong = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await exit;
    clearTimeout(tooLong);
  }

  /** Ends it without warning; it is started again only if it would be after any other end. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }

  /** It keeps its connections, takes new ones, and answers none. */
  hang(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  #launch(): void {
    const { name, command, args, environment } = this.plan;
    const { onLine } = this.#supervision;
    const begun = performance.now();
    const child = spawn(command, args, {
      env: { ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Ctrl-C reaches a whole process group, and these are to end in order.
      detached: true,
    });
    this.#child = child;
    this.#silent = new Promise((resolve) => child.once('close', resolve));
    const forget = child.pid === undefined ? () => undefined : endWithThisProcess(child.pid);
    const tell = (stream: Readable, isError: boolean): void => {
      createInterface({ input: stream }).on('line', (line) => {
        if (isError && line.trim() !== '') this.#lastWords = line;
        onLine(name, line);
      });
    };
    tell(child.stdout, false);
    tell(child.stderr, true);
    const ended = (how: string): void => {
      forget();
      if (this.#child !== child) return;
      this.#child = null;
      if (performance.now() - begun > STEADY_MS) this.#pauseMs = FIRST_PAUSE_MS;
      if (this.#wanted) void this.#endedByItself(how);
    };
    child.once('error', (error) => ended(`cannot be started: ${error.message}`));
    child.once('exit', (code, signal) => ended(`ended with ${signal ?? code ?? 'nothing'}`));
  }

  async #endedByItself(how: string): Promise<void> {
    const { restart, onEvent } = this.#supervision;
    const { name } = this.plan;
    if (!restart || !this.#wasReady) {
      this.#wanted = false;
      onEvent(name, how);
      return;
    }
    const pause = this.#pauseMs;
    this.#pauseMs = Math.min(2 * pause, LONGEST_PAUSE_MS);
    onEvent(name, `${how}; it is started again`);
    const { signal } = this.#stopWaiting;
    await delay(pause, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted && this.#child === null) this.#launch();
  }

  /** An end may be known before its reason is read. */
  async #ended(): Promise<StartError> {
    await Promise.race([this.#silent, delay(LAST_WORDS_MS, undefined, { ref: false })]);
    const words = this.#lastWords === '' ? '' : `: ${this.#lastWords}`;
    return new StartError(`The process ${this.plan.name} ended${words}`);
  }
}
