import { expect, test } from '@jest/globals';
import { GrowingBytes } from './growing-bytes.ts';

const MIB = 1024 * 1024;

test('takes memory as bytes come, at most eight times as much', () => {
  const part = new GrowingBytes(25 * MIB);
  expect(part.bytes.buffer.byteLength).toBe(0);
  part.fill(new Uint8Array(10));
  expect(part.bytes.buffer.byteLength).toBe(64 * 1024);
  part.fill(new Uint8Array(MIB));
  expect(part.bytes.buffer.byteLength).toBeLessThanOrEqual(8 * MIB + 80);
  expect(part.isComplete).toBe(false);
});

test.each([0, 1, 65_536, 65_537, 300_000])('has exactly its %i bytes in the end', (length) => {
  const all = Uint8Array.from({ length: length + 5 }, (_, index) => index % 251);
  const part = new GrowingBytes(length);
  let rest = all.subarray(0, 0);
  for (let from = 0; from < all.length; from += 7_000) {
    rest = Buffer.concat([rest, part.fill(all.subarray(from, from + 7_000))]);
  }
  expect(part.isComplete).toBe(true);
  expect(part.bytes.buffer.byteLength).toBe(length);
  expect(Buffer.compare(part.bytes, all.subarray(0, length))).toBe(0);
  expect([...rest]).toEqual([...all.subarray(length)]);
});
