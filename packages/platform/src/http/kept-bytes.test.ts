import { describe, expect, test } from '@jest/globals';
import { collectGarbage } from '@sightline/test/support/jest/collect-garbage';
import fc from 'fast-check';
import { KeptBytes } from './kept-bytes.ts';

const MIB = 1024 ** 2;

describe('kept bytes', () => {
  test('are all bytes in order, in a new buffer', async () => {
    const parts = fc.array(fc.uint8Array({ maxLength: 9000 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(parts, async (chunks) => {
        const kept = new KeptBytes();
        for (const chunk of chunks) kept.push(chunk);
        const whole = Buffer.concat(chunks);
        expect(kept.size).toBe(whole.length);

        const bytes = await kept.take();

        expect(Buffer.compare(bytes, whole)).toBe(0);
        expect(bytes.buffer.byteLength).toBe(whole.length);
        expect(kept.size).toBe(0);
      }),
      { numRuns: 50 },
    );
  });

  test('are copies of the chunks, which may change', async () => {
    const kept = new KeptBytes();
    const chunk = Buffer.from([1, 2]);
    kept.push(chunk);
    chunk.fill(0);
    expect(await kept.take()).toEqual(Uint8Array.of(1, 2));
  });

  test('need little more memory than their size, even if they arrive one by one', () => {
    const kept = new KeptBytes();
    const before = usedMemory();
    for (let i = 0; i < MIB; i++) kept.push(Buffer.allocUnsafeSlow(1));
    expect(usedMemory() - before).toBeLessThan(32 * MIB);
    expect(kept.size).toBe(MIB);
  });
});

/** The memory of all live objects, in bytes. */
function usedMemory(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
