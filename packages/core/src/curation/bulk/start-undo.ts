import { createJob, type CreateJobOptions } from '../../database/create-job.ts';
import type { Database } from '../../database/database.ts';
import type { Job } from '../../jobs/job.ts';
import { operationParamsOf } from '../../jobs/operation-job.ts';
import { findUndoable } from '../find-undoable.ts';
import type { UndoRequest } from '../undo-operation.ts';

/**
 * Creates a job that takes an operation back.
 *
 * @throws the errors of `mayUndo`; NotFound, NotUndoable, OperationTooLarge, JobUnfinished, TooManyJobs,
 *   StoreUnavailable
 */
export async function startUndo(
  { database }: { readonly database: Pick<Database, 'withEntities' | 'withScope'> },
  request: UndoRequest,
  options: CreateJobOptions,
): Promise<Job> {
  const { scope, id, label, isStrict } = request;
  const { count } = await findUndoable(database, request, options.signal);
  scope.operation?.takesBack(id);
  const params = { ...operationParamsOf(scope), operationId: id, label, isStrict };
  return createJob(
    database,
    {
      scope,
      async describe(tx) {
        await tx.operations.begin();
        return { type: 'undo', params, items: [{ input: {} }], total: count };
      },
    },
    options,
  );
}
