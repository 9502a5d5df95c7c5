import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { endWithThisProcess } from './end-with-this-process.ts';

export interface ServiceCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * The timeout of a stop, in ms. It is longer than the stop timeout of a service (see `runProcess`), so that a hanging
 * service ends itself and logs the reason.
 */
const STOP_MS = 30_000;
/**
 * How long to wait for the end of an exited process's output, in ms. Children of the process may keep the pipe open.
 */
const OUTPUT_MS = 5_000;
const MOST_LINES = 200;

/**
 * A service in a child process. The child gets SIGTERM when `stop` is called or this process ends in any way. The child
 * runs in a separate process group, so that Ctrl-C does not reach it directly.
 */
export class ServiceProcess implements AsyncDisposable {
  /** A description of the end, such as `ended with 1` or `cannot be started: ...`. */
  readonly ended: Promise<string>;
  readonly #child: ChildProcess;
  readonly #closed: Promise<unknown>;
  readonly #errorLines: string[] = [];

  /** @param onLine receives each line of stdout and stderr */
  constructor({ command, args, environment }: ServiceCommand, onLine: (line: string) => void) {
    const child = spawn(command, args, {
      env: { ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#child = child;
    this.#closed = new Promise((resolve) => child.once('close', resolve));
    createInterface({ input: child.stdout }).on('line', onLine);
    createInterface({ input: child.stderr }).on('line', (line) => {
      this.#errorLines.push(line);
      if (this.#errorLines.length > MOST_LINES) this.#errorLines.shift();
      onLine(line);
    });
    const forget = child.pid === undefined ? () => undefined : endWithThisProcess(child.pid);
    this.ended = new Promise((resolve) => {
      child.once('error', (error) => resolve(`cannot be started: ${error.message}`));
      child.once('exit', (code, signal) => {
        forget();
        resolve(`ended with ${signal ?? code ?? 'nothing'}`);
      });
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Waits until the process has ended, and returns its last stderr lines. */
  async lastErrorLines(): Promise<readonly string[]> {
    await this.ended;
    await Promise.race([this.#closed, delay(OUTPUT_MS, undefined, { ref: false })]);
    return this.#errorLines;
  }

  /** Sends SIGTERM and waits until the process has ended. Kills the process after 30 s. */
  async stop(): Promise<void> {
    const child = this.#child;
    child.kill('SIGTERM');
    // A paused process handles SIGTERM only after it continues.
    child.kill('SIGCONT');
    const timeout = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    await this.ended;
    clearTimeout(timeout);
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }

  /** Pauses the process. The system still accepts connections for the process, but the process answers nothing. */
  pause(): void {
    this.#child.kill('SIGSTOP');
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}
