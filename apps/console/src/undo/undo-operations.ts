import type { Undone } from './undo-operation.ts';
import type { TakenBack } from './undo-stack.ts';

/** The result of taking operations back. */
export interface UndoneOperations extends TakenBack {
  readonly undone: number;
  readonly skipped: number;
  /** The reason why the rest was not taken back. */
  readonly error: Error | null;
}

/** Takes operations back, the last one first, until an undo fails. */
export async function undoOperations(
  ids: readonly number[],
  undo: (id: number) => Promise<Undone>,
): Promise<UndoneOperations> {
  const rest = [...ids];
  const operationIds: number[] = [];
  const total = { undone: 0, skipped: 0 };
  for (let id = rest.at(-1); id !== undefined; id = rest.at(-1)) {
    try {
      const { operationId, undone, skipped, error } = await undo(id);
      if (operationId !== null) operationIds.push(operationId);
      total.undone += undone;
      total.skipped += skipped;
      // Another job can take back the records that this one did not reach.
      if (error !== null) return { ...total, operationIds, rest, error };
      rest.pop();
    } catch (error) {
      return { ...total, operationIds, rest, error: error as Error };
    }
  }
  return { ...total, operationIds, rest, error: null };
}
