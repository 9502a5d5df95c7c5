import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { readLines } from './read-lines.ts';

async function* chunked(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (let at = 0; from < bytes.length; at++) {
    const size = sizes[at % sizes.length]!;
    yield bytes.subarray(from, from + size);
    from += size;
    await Promise.resolve();
  }
}

test('the lines do not depend on the boundaries of chunks', async () => {
  const line = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\n'));
  const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(fc.array(line), sizes, async (lines, cuts) => {
      const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(''));
      expect(await Array.fromAsync(readLines(chunked(bytes, cuts), 1_000))).toEqual(lines);
    }),
    { numRuns: 100 },
  );
});

test('an unterminated last line is dropped', async () => {
  const lines = readLines(chunked(Buffer.from('{"a":1}\n{"b'), [3]), 100);
  expect(await Array.fromAsync(lines)).toEqual(['{"a":1}']);
});

test('a line that is too long is an error', async () => {
  const lines = readLines(chunked(Buffer.alloc(2_000, 'a'), [100]), 1_000);
  await expect(Array.fromAsync(lines)).rejects.toThrow(RangeError);
});
