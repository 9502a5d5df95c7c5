import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { collectGrownBuffers } from '@sightline/platform/process/collect-garbage';
import type { PoolMessage, WorkerMessage } from './protocol.ts';
import { serializeError } from './serialized-error.ts';

/** The job handler of a worker thread. It is disposed of when the pool stops the thread. */
export interface JobServer<Job, Result, Ready> extends AsyncDisposable {
  /** The message to the pool when the worker is ready. */
  readonly ready: Ready;
  /** Processes one job. After an abort it may throw early, and its result or error is ignored. */
  handle(job: Job, context: JobContext): Promise<JobResult<Result>>;
  /**
   * Takes part in work that another worker of the pool has shared, until no work is left or the signal aborts. Absent if
   * the server's jobs share no work.
   */
  help?(work: unknown, signal: AbortSignal): Promise<void>;
}

export interface JobContext {
  readonly signal: AbortSignal;
  /**
   * Lets idle workers take part in work of this job. The job must not depend on them: they may come late, end at any
   * time, or never come.
   *
   * @param helpers the largest useful number of workers
   */
  readonly share: (work: unknown, helpers: number) => void;
}

export interface JobResult<Result> {
  readonly result: Result;
  /** The buffers inside `result` that are transferred to the pool's thread instead of copied. */
  readonly transfer: readonly ArrayBuffer[];
}

/**
 * Runs the worker thread's side of a pool. It opens the server with the slot's start data, and then
 * processes jobs until the pool stops the thread. If opening fails, the thread ends by itself.
 */
export async function serveJobs<Start, Job, Result, Ready>(
  open: (start: Start) => Promise<JobServer<Job, Result, Ready>>,
): Promise<void> {
  if (parentPort === null) throw new Error('This module runs in a worker thread only.');
  const port: MessagePort = parentPort;
  const post = (message: WorkerMessage<Result, Ready>, transfer: readonly ArrayBuffer[] = []) =>
    port.postMessage(message, transfer);

  let server: JobServer<Job, Result, Ready>;
  try {
    server = await open(workerData as Start);
  } catch (error) {
    post({ kind: 'not_ready', error: serializeError(error) });
    return;
  }

  let current: AbortController | null = null;
  let ended = Promise.resolve();
  let helping = new AbortController();
  const share: JobContext['share'] = (work, helpers) => post({ kind: 'share', work, helpers });
  const process = async (job: Job, { signal }: AbortController): Promise<void> => {
    try {
      const { result, transfer } = await server.handle(job, { signal, share });
      post({ kind: 'result', result }, transfer);
    } catch (error) {
      post({ kind: 'failure', error: serializeError(error) });
    }
    current = null;
    collectGrownBuffers();
  };
  const help = async (work: unknown, { signal }: AbortController): Promise<void> => {
    // If helping fails, the worker that shares the work does all of it and reports the error.
    await server.help?.(work, signal).catch(() => undefined);
    post({ kind: 'helped' });
  };
  port.on('message', (message: PoolMessage<Job>) => {
    switch (message.kind) {
      case 'job': {
        helping.abort();
        const controller = (current = new AbortController());
        ended = ended.then(() => process(message.job, controller));
        return;
      }
      case 'cancel':
        current?.abort();
        return;
      case 'help': {
        const controller = (helping = new AbortController());
        ended = ended.then(() => help(message.work, controller));
        return;
      }
      case 'stop':
        helping.abort();
        port.close();
        // The server is disposed of last, because an aborted job may still use its resources.
        void ended.then(() => server[Symbol.asyncDispose]());
    }
  });
  post({ kind: 'ready', ready: server.ready });
}
