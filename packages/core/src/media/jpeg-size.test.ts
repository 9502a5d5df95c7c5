import { expect, test } from '@jest/globals';
import { jpegSize } from './jpeg-size.ts';

const START = [0xff, 0xd8];
/** A segment of four bytes, which readers skip. */
const COMMENT = [0xff, 0xfe, 0, 4, 1, 2];
/** A table of Huffman codes, whose marker lies among those of frames. */
const TABLE = [0xff, 0xc4, 0, 3, 0];
const frame = (marker: number) => [0xff, marker, 0, 11, 8, 0x01, 0xe0, 0x02, 0x80, 1, 1, 0x11, 0];

test.each([0xc0, 0xc1, 0xc2])('the size of a JPEG is read from its frame %p', (marker) => {
  const bytes = Uint8Array.from([0, ...START, ...COMMENT, ...TABLE, ...frame(marker)]);
  expect(jpegSize(bytes.subarray(1))).toEqual({ width: 640, height: 480 });
});

test.each([
  [[]],
  [START],
  [[...START, ...COMMENT]],
  [[...START, 0x00, ...frame(0xc0)]],
  [[...START, 0xff, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
  [[0x89, 0x50, ...frame(0xc0)]],
])('other bytes have none: %j', (bytes) => {
  expect(jpegSize(Uint8Array.from(bytes))).toBeNull();
});
