import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { PoolMessage, WorkerMessage } from './protocol.ts';
import { serializeError } from './serialized-error.ts';

/** The job handler of a worker thread. It is disposed of when the pool stops the thread. */
export interface JobServer<Job, Result, Ready> extends AsyncDisposable {
  /** The message to the pool when the worker is ready. */
  readonly ready: Ready;
  /** Processes one job. After an abort it may throw early, and its result or error is ignored. */
  handle(job: Job, signal: AbortSignal): Promise<JobResult<Result>>;
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
  const process = async (job: Job): Promise<void> => {
    current = new AbortController();
    try {
      const { result, transfer } = await server.handle(job, current.signal);
      post({ kind: 'result', result }, transfer);
    } catch (error) {
      post({ kind: 'failure', error: serializeError(error) });
    }
    current = null;
  };
  port.on('message', (message: PoolMessage<Job>) => {
    switch (message.kind) {
      case 'job':
        ended = process(message.job);
        return;
      case 'cancel':
        current?.abort();
        return;
      case 'stop':
        port.close();
        // The server is disposed of last, because an aborted job may still use its resources.
        void ended.then(() => server[Symbol.asyncDispose]());
    }
  });
  post({ kind: 'ready', ready: server.ready });
}
