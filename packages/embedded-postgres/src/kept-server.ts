import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@sightline/platform/logging/logger';
import { RepeatedFailure } from '@sightline/platform/resilience/repeated-failure';
import type { FoundServer } from './find-server.ts';

/** The interval between two looks at the server's process, in ms. */
const LOOK_MS = 500;
/** The pause after a failed start, in ms. */
const RETRY_MS = 5_000;

export interface KeptServerDeps {
  /** Whether the server's process still runs. */
  readonly isRunning: (server: FoundServer) => boolean;
  /** Whether the server's process is shutting down although nothing here has asked for it. */
  readonly isStopping: (server: FoundServer) => Promise<boolean>;
  /** Starts the server of the same socket folder and port again, after it has ended. Ends it if it is stopping. */
  readonly start: (ended: FoundServer, signal: AbortSignal) => Promise<FoundServer>;
  readonly logger?: Logger | undefined;
}

/**
 * A server that is started again whenever it ends, for example because the system killed it. A server that gets a
 * SIGTERM would wait for its open sessions and refuse new ones, so it is ended. It may be the child of another process,
 * so its process is polled. Disposal leaves the server running.
 */
export class KeptServer implements AsyncDisposable {
  readonly #deps: KeptServerDeps;
  #server: FoundServer;
  readonly #stop = new AbortController();
  readonly #ended: Promise<void>;

  constructor(server: FoundServer, deps: KeptServerDeps) {
    this.#server = server;
    this.#deps = deps;
    this.#ended = this.#keep();
  }

  get pid(): number {
    return this.#server.pid;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }

  async #keep(): Promise<void> {
    // A server that is stopping is left alone until the next look, because a supervisor may be about to stop this process
    // as well.
    let wasStopping = false;
    while (!this.#isStopping()) {
      const isStopping = this.#isRunning() && (await this.#deps.isStopping(this.#server));
      if (!this.#isRunning()) await this.#restart('has ended');
      else if (isStopping && wasStopping) await this.#restart('is stopping');
      wasStopping = isStopping;
      await this.#pause(LOOK_MS);
    }
  }

  async #restart(cause: 'has ended' | 'is stopping'): Promise<void> {
    const { start, logger } = this.#deps;
    logger?.warn(`the database server ${cause} unexpectedly and is started again`);
    const failure = new RepeatedFailure((error) =>
      logger?.error({ err: error }, 'the database server cannot be started again'),
    );
    while (!this.#isStopping()) {
      try {
        this.#server = await start(this.#server, this.#stop.signal);
        logger?.info('the database server was started again');
        return;
      } catch (error) {
        if (this.#isStopping()) return;
        failure.failed(error);
      }
      await this.#pause(RETRY_MS);
    }
  }

  #isRunning(): boolean {
    return this.#deps.isRunning(this.#server);
  }

  #isStopping(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Waits for this time, or until the stop. */
  async #pause(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }
}
