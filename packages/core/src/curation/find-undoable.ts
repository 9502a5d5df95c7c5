import type { Database } from '../database/database.ts';
import { JobUnfinished } from '../jobs/job-errors.ts';
import { MAX_STRICT, NotUndoable, OperationTooLarge } from '../operations/operation-errors.ts';
import { hasValues, type Operation } from '../operations/operation.ts';
import { NotFound } from '../store/not-found.ts';
import type { Scope } from '../store/scope.ts';

/**
 * Reads an operation that the caller wants to take back.
 *
 * @throws NotFound, NotUndoable, JobUnfinished; OperationTooLarge if it is to be taken back as a whole; the errors of
 *   `mayUndo`; StoreUnavailable
 */
export async function findUndoable(
  database: Pick<Database, 'withScope'>,
  {
    scope,
    id,
    isStrict,
    mayUndo,
  }: {
    readonly scope: Scope;
    readonly id: number;
    readonly isStrict: boolean;
    readonly mayUndo?: (operation: Operation) => void;
  },
  signal: AbortSignal | undefined,
): Promise<Operation> {
  const operation = await database.withScope(
    scope,
    ({ operations }) => operations.byId(id),
    signal,
  );
  if (operation === null) throw new NotFound('operation', id);
  mayUndo?.(operation);
  const { count } = operation;
  if (isStrict && count > MAX_STRICT) throw new OperationTooLarge(count, { isStrict });
  return requireUndoable(operation, id);
}

/** @throws NotFound, NotUndoable, JobUnfinished */
export function requireUndoable(operation: Operation | null, id: number): Operation {
  if (operation === null) throw new NotFound('operation', id);
  // The job would change more records after the undo.
  if (operation.isAtWork) throw new JobUnfinished();
  if (!hasValues(operation)) throw new NotUndoable(id);
  return operation;
}
