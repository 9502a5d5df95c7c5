import { expect, test } from '@jest/globals';
import { InputBuffer } from './input-buffer.ts';

const buffers = new InputBuffer();
const bufferOf = (length: number) =>
  buffers.with(length, (input) => Promise.resolve({ length: input.length, memory: input.buffer }));

test('memory is used again while it is long enough', async () => {
  const first = await bufferOf(10);
  const shorter = await bufferOf(4);
  const longer = await bufferOf(11);
  expect([first.length, shorter.length, longer.length]).toEqual([10, 4, 11]);
  expect(shorter.memory).toBe(first.memory);
  expect(longer.memory).not.toBe(first.memory);
  expect((await bufferOf(10)).memory).toBe(longer.memory);
});

test('runs that overlap do not share memory', async () => {
  await buffers.with(10, async (outer) => {
    expect((await bufferOf(10)).memory).not.toBe(outer.buffer);
  });
});

test('a run that fails gives its memory back', async () => {
  const failed = buffers.with(10, (input) =>
    Promise.reject(Object.assign(new Error('no'), { memory: input.buffer })),
  );
  const error: unknown = await failed.catch((cause: unknown) => cause);
  expect(error).toMatchObject({ memory: (await bufferOf(10)).memory });
});
