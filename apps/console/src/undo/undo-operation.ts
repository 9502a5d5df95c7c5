import { isProblem } from '../client/api-error.ts';
import type { Send } from '../client/create-send.ts';
import type { Job } from '../jobs/job.ts';

/** The result of taking an operation back. */
export interface Undone {
  /** The operation that the undo is; null if nothing was taken back. */
  readonly operationId: number | null;
  readonly undone: number;
  readonly skipped: number;
  /** The reason why the job ended before it was through; null if everything was tried. */
  readonly error: UndoJobError | null;
}

/** The job of an undo was stopped, or it failed. */
export class UndoJobError extends Error {
  override readonly name = 'UndoJobError';
  readonly job: number;
  readonly isStopped: boolean;

  constructor(job: number, reason: string) {
    super(reason);
    this.job = job;
    this.isStopped = reason === 'cancelled';
  }
}

/**
 * Takes an operation back. A job does it if the operation has more records than a request may have.
 *
 * @param endOf follows a job and returns it when it has ended
 */
export async function undoOperation(
  send: Send,
  endOf: (job: number) => Promise<Job>,
  id: number,
): Promise<Undone> {
  const { body } = await sendUndo(send, id);
  if ('job_id' in body) return undoneBy(await endOf(body.job_id));
  return {
    operationId: body.operation_id,
    undone: body.undone,
    skipped: body.skipped.length,
    error: null,
  };
}

function undoneBy({ id, operation_id: operationId, done, failed, error }: Job): Undone {
  if (error === null) return { operationId, undone: done, skipped: failed, error: null };
  // A job that ends early counts the records that it did not reach as failed.
  return { operationId, undone: done, skipped: 0, error: new UndoJobError(id, error) };
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
