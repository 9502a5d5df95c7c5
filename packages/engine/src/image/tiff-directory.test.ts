import { expect, test } from '@jest/globals';
import { readTiff } from './tiff-directory.ts';
import { decode, fixture, meanDifference } from './testing/fixture.ts';

const IMAGE_WIDTH = 256;
const SHORT = 3;
const OFFSET = 16;

/** A BigTIFF whose only directory has a number of equal fields and names the directory at `next` as the next one. */
function bigTiff(fields: number, next: number): Uint8Array {
  const file = Buffer.alloc(OFFSET + 8 + 20 * fields + 8);
  file.write('II', 'latin1');
  file.writeUInt16LE(43, 2);
  file.writeUInt16LE(8, 4);
  file.writeBigUInt64LE(BigInt(OFFSET), 8);
  file.writeBigUInt64LE(BigInt(fields), OFFSET);
  for (let at = OFFSET + 8; at < file.length - 8; at += 20) {
    file.writeUInt16LE(IMAGE_WIDTH, at);
    file.writeUInt16LE(SHORT, at + 2);
    file.writeBigUInt64LE(1n, at + 4);
  }
  file.writeBigUInt64LE(BigInt(next), file.length - 8);
  return file;
}

test('a directory that names itself as the next one is read once more at most', () => {
  const { following } = readTiff(bigTiff(3, OFFSET))!;
  expect(following).toHaveLength(1);
});

test('a directory has at most as many fields as a TIFF that is not a BigTIFF can have', () => {
  expect(readTiff(bigTiff(65_535, 0))).not.toBeNull();
  expect(readTiff(bigTiff(65_536, 0))).toBeNull();
});

test.each(['small-big.tiff', 'small-plain.tiff', 'small-lzw.tiff'])(
  'a copy of %s with its own strips behind it is the same image',
  async (name) => {
    const bytes = fixture(name);
    const { first } = readTiff(bytes)!;
    const strips = first.strips();
    expect(strips.length).toBeGreaterThan(0);
    const copy = first.withStrips(strips);
    expect(meanDifference(await decode(copy), await decode(fixture(name)))).toBe(0);
    const own = readTiff(copy)!.first.strips();
    expect(own.map(({ length }) => length)).toEqual(strips.map(({ length }) => length));
    expect(own[0]!.byteOffset).toBeGreaterThanOrEqual(bytes.length);
  },
);
