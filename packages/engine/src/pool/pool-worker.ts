import { Worker, type WorkerOptions } from 'node:worker_threads';
import { DomainError } from '@sightline/core/domain-error';
import { InferenceUnavailable } from '@sightline/core/models/model-errors';
import type { PoolMessage, WorkerMessage } from './protocol.ts';
import { reviveThrown } from './thrown-data.ts';

const STOP_GRACE_MS = 5000;

/** One thread of a pool, from its start to its end; it has at most one job at a time. */
export class PoolWorker<Job, Result, Ready> {
  readonly #thread: Worker;
  readonly #ready = Promise.withResolvers<Ready>();
  readonly #ended = Promise.withResolvers<Error>();
  #usable = false;
  #answer: PromiseWithResolvers<Result> | null = null;
  #lastError: unknown;

  constructor(script: URL, options: WorkerOptions) {
    this.#thread = new Worker(script, options);
    this.#thread.on('message', (message: WorkerMessage<Result, Ready>) => this.#receive(message));
    this.#thread.on('error', (error: unknown) => (this.#lastError = error));
    this.#thread.on('exit', (code) => this.#end(code));
  }

  /** What the worker says of itself once it is ready, or the error that kept it from that. */
  get ready(): Promise<Ready> {
    return this.#ready.promise;
  }

  /** The reason why the thread is gone, once it is; never rejects. */
  get ended(): Promise<Error> {
    return this.#ended.promise;
  }

  /** Ready, and its thread lives. */
  get usable(): boolean {
    return this.#usable;
  }

  /**
   * Hands a job over to a usable worker that has none.
   *
   * @throws the worker's error of the domain; InferenceUnavailable for any other, and if the thread
   *   ends first; DataCloneError if the job cannot be sent
   */
  async run(job: Job, transfer: readonly ArrayBuffer[]): Promise<Result> {
    this.#tell({ kind: 'job', job }, transfer);
    this.#answer = Promise.withResolvers<Result>();
    return this.#answer.promise;
  }

  /** Asks the worker to give up its job at the next opportunity; it is answered all the same. */
  cancel(): void {
    this.#tell({ kind: 'cancel' });
  }

  /** Ends the thread after it has closed what it opened, or by force if that takes long. */
  async stop(): Promise<void> {
    this.#tell({ kind: 'stop' });
    const force = setTimeout(() => void this.#thread.terminate(), STOP_GRACE_MS);
    await this.ended;
    clearTimeout(force);
  }

  /** Ends the thread now; its job fails with InferenceUnavailable. */
  async terminate(): Promise<void> {
    await this.#thread.terminate();
    await this.ended;
  }

  #tell(message: PoolMessage<Job>, transfer: readonly ArrayBuffer[] = []): void {
    this.#thread.postMessage(message, transfer);
  }

  #receive(message: WorkerMessage<Result, Ready>): void {
    switch (message.kind) {
      case 'ready':
        this.#usable = true;
        this.#ready.resolve(message.ready);
        return;
      case 'not_ready':
        this.#lastError = reviveThrown(message.error);
        void this.#thread.terminate();
        return;
      case 'result':
        this.#takeAnswer()?.resolve(message.result);
        return;
      case 'failure':
        this.#takeAnswer()?.reject(asJobError(reviveThrown(message.error)));
    }
  }

  #takeAnswer(): PromiseWithResolvers<Result> | null {
    const answer = this.#answer;
    this.#answer = null;
    return answer;
  }

  #end(exitCode: number): void {
    this.#usable = false;
    const reason = new Error(`A worker thread ended with exit code ${exitCode}.`, {
      cause: this.#lastError,
    });
    this.#ready.reject(this.#lastError ?? reason);
    this.#takeAnswer()?.reject(brokeOff(reason));
    this.#ended.resolve(reason);
  }
}

function asJobError(error: Error): Error {
  return error instanceof DomainError ? error : brokeOff(error);
}

function brokeOff(cause: Error): InferenceUnavailable {
  return new InferenceUnavailable('The analysis broke off; try again.', {}, { cause });
}
