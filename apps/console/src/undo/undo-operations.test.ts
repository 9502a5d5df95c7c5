import { expect, test } from '@jest/globals';
import { UndoJobError } from './undo-operation.ts';
import { undoOperations } from './undo-operations.ts';

test('operations are taken back in reverse order', async () => {
  const asked: number[] = [];
  const result = await undoOperations([1, 2, 3], (id) => {
    asked.push(id);
    const operationId = id === 2 ? null : id + 10;
    return Promise.resolve({ operationId, undone: 2, skipped: 1, error: null });
  });
  expect(asked).toEqual([3, 2, 1]);
  expect(result).toEqual({
    operationIds: [13, 11],
    rest: [],
    undone: 6,
    skipped: 3,
    error: null,
  });
});

test('an undo that fails leaves the rest to a later one', async () => {
  const busy = new Error('busy');
  const result = await undoOperations([1, 2, 3], (id) =>
    id === 2
      ? Promise.reject(busy)
      : Promise.resolve({ operationId: 13, undone: 1, skipped: 0, error: null }),
  );
  expect(result).toEqual({ operationIds: [13], rest: [1, 2], undone: 1, skipped: 0, error: busy });
});

test('an operation whose job was stopped stays with the rest, and its part can be repeated', async () => {
  const error = new UndoJobError(5, 'cancelled');
  const result = await undoOperations([1, 2], () =>
    Promise.resolve({ operationId: 9, undone: 1000, skipped: 0, error }),
  );
  expect(result).toEqual({ operationIds: [9], rest: [1, 2], undone: 1000, skipped: 0, error });
});
