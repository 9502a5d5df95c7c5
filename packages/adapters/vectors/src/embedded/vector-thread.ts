import { Worker } from 'node:worker_threads';
import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import { orAbort } from '@sightline/platform/resilience/or-abort';
import type { VectorReply, VectorRequest, VectorResults } from './vector-protocol.ts';

export interface VectorThreadOptions {
  readonly script: URL;
  /** Called once if the thread ends unexpectedly. */
  readonly onLost?: ((reason: Error) => void) | undefined;
}

interface Call {
  readonly request: VectorRequest;
  readonly transfer: readonly ArrayBuffer[];
  readonly outcome: PromiseWithResolvers<VectorResults[keyof VectorResults]>;
}

/**
 * A worker thread that processes requests in order. Only one request at a time is sent, so a waiting request that is
 * aborted never reaches the thread.
 */
export class VectorThread {
  readonly #worker: Worker;
  readonly #onLost: ((reason: Error) => void) | undefined;
  readonly #started = Promise.withResolvers<null>();
  readonly #idle = Promise.withResolvers<null>();
  /** The waiting calls, in order. With a set, an aborted call is removed without a search. */
  readonly #waiting = new Set<Call>();
  #running: Call | null = null;
  /** `open` accepts requests. In `closing`, the owner is ending the thread. In `ended`, the thread has ended. */
  #state: 'open' | 'closing' | 'ended' = 'open';
  #lastError: unknown;

  /** @throws VectorsUnavailable if the thread fails to start */
  static async start(options: VectorThreadOptions): Promise<VectorThread> {
    const thread = new VectorThread(options);
    await thread.#started.promise;
    return thread;
  }

  private constructor({ script, onLost }: VectorThreadOptions) {
    this.#onLost = onLost;
    this.#worker = new Worker(script, { name: 'vectors' });
    this.#worker.on('message', (reply: VectorReply) => this.#receive(reply));
    this.#worker.on('error', (error: unknown) => (this.#lastError = error));
    this.#worker.on('exit', () => this.#end());
  }

  get alive(): boolean {
    return this.#state === 'open';
  }

  /**
   * Queues a request. The buffers in `transfer` move to the thread when the request is sent.
   *
   * @throws VectorsUnavailable if the thread fails, ends, or has ended; the signal's reason on abort, at once
   */
  async call<Name extends VectorRequest['do']>(
    request: VectorRequest & { readonly do: Name },
    { transfer = [], signal }: { transfer?: readonly ArrayBuffer[]; signal?: AbortSignal } = {},
  ): Promise<VectorResults[Name]> {
    signal?.throwIfAborted();
    if (this.#state !== 'open') throw threadDown(this.#lastError);
    const outcome = Promise.withResolvers<VectorResults[keyof VectorResults]>();
    const call = { request, transfer, outcome };
    this.#waiting.add(call);
    this.#sendNext();
    try {
      return (await orAbort(outcome.promise, signal)) as VectorResults[Name];
    } finally {
      this.#waiting.delete(call);
    }
  }

  /** Ends the thread. Unfinished requests fail with VectorsUnavailable. */
  async close(): Promise<void> {
    this.#state = 'closing';
    await this.#worker.terminate();
  }

  /** Accepts no more requests, and ends the thread when all accepted requests are finished. */
  async retire(): Promise<void> {
    this.#state = 'closing';
    if (this.#running !== null) await this.#idle.promise;
    await this.close();
  }

  #sendNext(): void {
    if (this.#running !== null) return;
    const [next] = this.#waiting;
    if (next === undefined) {
      if (this.#state === 'closing') this.#idle.resolve(null);
      return;
    }
    this.#waiting.delete(next);
    this.#running = next;
    this.#worker.postMessage(next.request, next.transfer);
  }

  #receive(reply: VectorReply): void {
    if (reply.kind === 'ready') {
      this.#started.resolve(null);
      return;
    }
    const { outcome } = this.#running!;
    this.#running = null;
    if (reply.kind === 'result') outcome.resolve(reply.result);
    else outcome.reject(requestFailed(reply.error));
    this.#sendNext();
  }

  #end(): void {
    const isLost = this.#state === 'open';
    this.#state = 'ended';
    this.#idle.resolve(null);
    const error = threadDown(this.#lastError);
    this.#started.reject(error);
    for (const { outcome } of [this.#running, ...this.#waiting].filter((call) => call !== null)) {
      outcome.reject(error);
    }
    this.#waiting.clear();
    if (isLost) this.#onLost?.(error);
  }
}

function threadDown(cause: unknown): VectorsUnavailable {
  return new VectorsUnavailable('The vector index is down.', {}, { cause });
}

function requestFailed(cause: Error): VectorsUnavailable {
  return new VectorsUnavailable('The vector index failed.', {}, { cause });
}
