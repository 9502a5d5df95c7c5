import { expect, test } from '@jest/globals';
import { UndoStack } from './undo-stack.ts';

const change = (id: number) => ({ operationIds: [id], text: `change ${id}` });
const whole = (...operationIds: number[]) => ({ operationIds, rest: [] });

test('changes are taken back in reverse order, and repeated in order', () => {
  const stack = new UndoStack();
  stack.push(change(1));
  stack.push(change(2));
  stack.undid(stack.lastDone!, whole(3));
  expect(stack.lastDone).toEqual(change(1));
  expect(stack.lastUndone).toEqual({ operationIds: [3], text: 'change 2' });
  stack.redid(stack.lastUndone!, whole(4));
  expect(stack.lastDone).toEqual({ operationIds: [4], text: 'change 2' });
  expect(stack.lastUndone).toBeNull();
});

test('after a new change nothing can be repeated', () => {
  const stack = new UndoStack();
  stack.push(change(1));
  stack.undid(stack.lastDone!, whole(2));
  stack.push(change(3));
  expect(stack.lastUndone).toBeNull();
});

test('a change that could not be taken back is not tried again', () => {
  const stack = new UndoStack();
  stack.push(change(1));
  stack.undid(stack.lastDone!, whole());
  expect([stack.lastDone, stack.lastUndone]).toEqual([null, null]);
});

test('a change that was taken back in part keeps the rest, and each part can be repeated', () => {
  const stack = new UndoStack();
  stack.push({ operationIds: [1, 2, 3], text: 'three' });
  stack.undid(stack.lastDone!, { operationIds: [4], rest: [1, 2] });
  expect(stack.lastDone).toEqual({ operationIds: [1, 2], text: 'three' });
  stack.undid(stack.lastDone!, whole(5, 6));
  expect(stack.lastDone).toBeNull();
  stack.redid(stack.lastUndone!, { operationIds: [7], rest: [5] });
  expect(stack.lastUndone).toEqual({ operationIds: [5], text: 'three' });
  stack.redid(stack.lastUndone!, whole(8));
  stack.redid(stack.lastUndone!, whole(9));
  expect([stack.lastDone?.operationIds, stack.lastUndone]).toEqual([[9], null]);
});

test('the oldest of many changes are forgotten', () => {
  const stack = new UndoStack();
  for (let id = 1; id <= 60; id++) stack.push(change(id));
  let count = 0;
  while (stack.lastDone !== null) {
    stack.undid(stack.lastDone, whole());
    count++;
  }
  expect(count).toBe(50);
});

test('changes say when they can no longer be taken back, each once', () => {
  const stack = new UndoStack();
  const forgotten: number[] = [];
  const changes = Array.from({ length: 53 }, (_, id) => ({
    ...change(id),
    onForgotten: () => forgotten.push(id),
  }));
  for (const each of changes) stack.push(each);
  expect(forgotten).toEqual([0, 1, 2]);
  stack.remove(changes[52]!);
  stack.remove(changes[52]!);
  stack.remove(changes[0]!);
  expect(forgotten).toEqual([0, 1, 2, 52]);
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
