import { beforeAll, describe, expect, test } from '@jest/globals';
import { boundsOf, type ByteRange } from '@sightline/core/media/byte-range';
import { read, someObject, type OpenedStore } from './some-object.ts';

export function describeRanges(store: OpenedStore): void {
  describe('a range', () => {
    const { key, bytes } = someObject(300_000);
    beforeAll(() => store().put(key, bytes));

    test.each<[string, ByteRange]>([
      ['the first byte', { first: 0, last: 0 }],
      ['some in the middle', { first: 100_000, last: 250_000 }],
      ['the last byte', { first: 299_999, last: 299_999 }],
      ['everything', { first: 0, last: 299_999 }],
      ['more than there is', { first: 299_000, last: 400_000 }],
      ['what lies behind the end', { first: 300_000, last: 300_009 }],
      ['all from a byte on', { first: 299_000 }],
      ['all from a byte behind the end on', { first: 300_001 }],
      ['the last bytes', { lastBytes: 1_000 }],
      ['more last bytes than there are', { lastBytes: 400_000 }],
      ['no last bytes', { lastBytes: 0 }],
    ])('of %s', async (_, range) => {
      const { start, end } = boundsOf(range, bytes.length);
      const expected = bytes.slice(start, end);
      expect(await read(store(), key, range)).toEqual({ size: 300_000, bytes: expected });
    });

    test.each([
      { first: -1, last: 5 },
      { first: 6, last: 5 },
      { first: 0.5, last: 5 },
      { first: 0, last: NaN },
      { lastBytes: -1 },
    ])('of %j is refused', async (range) => {
      await expect(store().open(key, range)).rejects.toMatchObject({ name: 'RangeError' });
    });
  });
}
