import { isProblem, isTemporary } from '../client/api-error.ts';
import { hasEnded, JOB_MS } from '../jobs/job.ts';
import type { Api } from '../client/api.ts';
import type { Send } from '../client/create-send.ts';

/** The result of taking an operation back. */
export interface Undone {
  /** The operation that the undo is; null if nothing was taken back. */
  readonly operationId: number | null;
  readonly undone: number;
  readonly skipped: number;
}

/** Takes an operation back. A job does it if the operation has more records than a request may have. */
export async function undoOperation(api: Api, send: Send, id: number): Promise<Undone> {
  const { body } = await sendUndo(send, id);
  if (!('job_id' in body)) {
    return {
      operationId: body.operation_id,
      undone: body.undone,
      skipped: body.skipped.length,
    };
  }
  const job = await endOfJob(api, body.job_id);
  return { operationId: job.operation_id, undone: job.done, skipped: job.failed };
}

/** The service refuses operations that need a job, and no answer tells their size before. */
async function sendUndo(send: Send, id: number) {
  const path = { id };
  try {
    return await send('undoOperation', { path, body: {} });
  } catch (error) {
    if (!isProblem(error, 'invalid_request')) throw error;
    return send('undoOperation', { path, query: { async: true }, body: {} });
  }
}

async function endOfJob(api: Api, id: number) {
  for (;;) {
    const job = await api.read('getJob', { path: { id } }).catch((error: unknown) => {
      if (isTemporary(error)) return null;
      throw error;
    });
    if (job !== null && hasEnded(job)) return job;
    await new Promise((resolve) => setTimeout(resolve, JOB_MS));
  }
}
