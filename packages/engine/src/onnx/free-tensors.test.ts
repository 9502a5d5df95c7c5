import { expect, test } from '@jest/globals';
import { freeTensors } from './free-tensors.ts';

test('frees what a run returned, also tensors that share a buffer', () => {
  const data = new Float32Array(6);
  freeTensors([
    { data: data.subarray(0, 3), dims: [3] },
    { data: data.subarray(3), dims: [3] },
  ]);
  expect(data.buffer.detached).toBe(true);
  expect(data).toHaveLength(0);
});
