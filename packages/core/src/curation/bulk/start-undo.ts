import type { CreateJobOptions } from '../../database/create-job.ts';
import type { Database } from '../../database/database.ts';
import type { Job } from '../../jobs/job.ts';
import { authorOf } from '../../jobs/operation-job.ts';
import { findUndoable } from '../find-undoable.ts';
import type { UndoRequest } from '../undo-operation.ts';
import { beginBulk } from './begin-bulk.ts';

/**
 * Creates a job that takes an operation back.
 *
 * @throws the errors of `mayUndo`; NotFound, NotUndoable, JobUnfinished, TooManyJobs, StoreUnavailable
 */
export async function startUndo(
  { database }: { readonly database: Pick<Database, 'withEntities' | 'withScope'> },
  request: UndoRequest,
  { signal, settle }: CreateJobOptions,
): Promise<Job> {
  const { scope, id, label, isStrict } = request;
  const { count } = await findUndoable(database, request, signal);
  scope.operation?.takesBack(id);
  return database.withEntities(
    { ...scope, locks: [] },
    async (tx) => {
      await tx.operations.begin();
      const params = { author: authorOf(scope), operationId: id, label, isStrict };
      const job = await tx.jobs.create({
        type: 'undo',
        params,
        items: [{ input: {} }],
        total: count,
      });
      return beginBulk(tx, job, settle);
    },
    signal,
  );
}
