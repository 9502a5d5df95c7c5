import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { PoolMessage, WorkerMessage } from './protocol.ts';
import { describeThrown } from './thrown-data.ts';

/** What a worker thread does once it has started. Disposed of when the pool stops the thread. */
export interface JobServer<Job, Result, Ready> extends AsyncDisposable {
  /** Told to the pool with the news that the worker is ready. */
  readonly ready: Ready;
  /** Does one job; an aborted one may throw early, whatever it returns or throws is dropped. */
  handle(job: Job, signal: AbortSignal): Promise<Answer<Result>>;
}

export interface Answer<Result> {
  readonly result: Result;
  /** Buffers inside `result` that are moved to the pool's thread instead of copied. */
  readonly transfer: readonly ArrayBuffer[];
}

/**
 * The worker's side of a pool: opens the server with the data of the slot, then answers jobs until
 * it is told to stop. The thread ends by itself if opening fails.
 */
export async function serveJobs<Start, Job, Result, Ready>(
  open: (start: Start) => Promise<JobServer<Job, Result, Ready>>,
): Promise<void> {
  if (parentPort === null) throw new Error('This module runs in a worker thread only.');
  const port: MessagePort = parentPort;
  const tell = (message: WorkerMessage<Result, Ready>, transfer: readonly ArrayBuffer[] = []) =>
    port.postMessage(message, transfer);

  let server: JobServer<Job, Result, Ready>;
  try {
    server = await open(workerData as Start);
  } catch (error) {
    tell({ kind: 'not_ready', error: describeThrown(error) });
    return;
  }

  let current: AbortController | null = null;
  const answer = async (job: Job): Promise<void> => {
    current = new AbortController();
    try {
      const { result, transfer } = await server.handle(job, current.signal);
      tell({ kind: 'result', result }, transfer);
    } catch (error) {
      tell({ kind: 'failure', error: describeThrown(error) });
    }
    current = null;
  };
  port.on('message', (message: PoolMessage<Job>) => {
    switch (message.kind) {
      case 'job':
        void answer(message.job);
        return;
      case 'cancel':
        current?.abort();
        return;
      case 'stop':
        port.close();
        void server[Symbol.asyncDispose]();
    }
  });
  tell({ kind: 'ready', ready: server.ready });
}
