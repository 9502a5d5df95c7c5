import { expect, test } from '@jest/globals';
import { UndoStack } from './undo-stack.ts';

const change = (id: number) => ({ operationIds: [id], text: `change ${id}` });

test('changes are taken back in reverse order, and repeated in order', () => {
  const stack = new UndoStack();
  stack.push(change(1));
  stack.push(change(2));
  stack.undid(stack.lastDone!, [3]);
  expect(stack.lastDone).toEqual(change(1));
  expect(stack.lastUndone).toEqual({ operationIds: [3], text: 'change 2' });
  stack.redid(stack.lastUndone!, [4]);
  expect(stack.lastDone).toEqual({ operationIds: [4], text: 'change 2' });
  expect(stack.lastUndone).toBeNull();
});

test('after a new change nothing can be repeated', () => {
  const stack = new UndoStack();
  stack.push(change(1));
  stack.undid(stack.lastDone!, [2]);
  stack.push(change(3));
  expect(stack.lastUndone).toBeNull();
});

test('a change that could not be taken back is not tried again', () => {
  const stack = new UndoStack();
  stack.push(change(1));
  stack.undid(stack.lastDone!, []);
  expect([stack.lastDone, stack.lastUndone]).toEqual([null, null]);
});

test('the oldest of many changes are forgotten', () => {
  const stack = new UndoStack();
  for (let id = 1; id <= 60; id++) stack.push(change(id));
  let count = 0;
  while (stack.lastDone !== null) {
    stack.undid(stack.lastDone, []);
    count++;
  }
  expect(count).toBe(50);
});

test('a second undo does nothing while the first is being carried out', async () => {
  const stack = new UndoStack();
  const runs: number[] = [];
  const end = Promise.withResolvers<undefined>();
  const first = stack.alone(() => {
    runs.push(1);
    return end.promise;
  });
  await stack.alone(() => Promise.resolve(void runs.push(2)));
  end.resolve(undefined);
  await first;
  await stack.alone(() => Promise.resolve(void runs.push(3)));
  expect(runs).toEqual([1, 3]);
});
