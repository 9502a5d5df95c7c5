import { markAsUntransferable } from 'node:worker_threads';
import { describe, expect, test } from '@jest/globals';
import { detachable } from './detachable.ts';

describe('detachable', () => {
  test('is the view itself if it owns its buffer', () => {
    const bytes = new Uint8Array([1, 2, 3]);
    const floats = new Float32Array([0.5, 1.5]);
    expect(detachable(bytes)).toBe(bytes);
    expect(detachable(floats)).toBe(floats);
  });

  test.each([
    ['a small Buffer, which Node allocates from a shared pool', Buffer.from([7, 8, 9])],
    ['a part of a larger buffer', new Uint8Array([6, 7, 8, 9, 10]).subarray(1, 4)],
    ['shared memory', new Uint8Array(new SharedArrayBuffer(3)).fill(7)],
  ])('is a copy of %s', (_, view) => {
    const copy = detachable(view);
    expect(copy).not.toBe(view);
    expect([...copy]).toEqual([...view]);
    expect(copy.buffer).toHaveProperty('byteLength', view.byteLength);
    structuredClone(copy, { transfer: [copy.buffer] });
    expect(view.byteLength).toBe(3);
  });

  test('is a copy of untransferable memory', () => {
    const view = new Uint8Array([1, 2, 3]);
    markAsUntransferable(view.buffer);
    expect(detachable(view)).not.toBe(view);
  });

  test('copies floats as floats', () => {
    const copy = detachable(new Float32Array([0.5, 1.5, 2.5]).subarray(1));
    expect(copy).toEqual(new Float32Array([1.5, 2.5]));
  });
});
