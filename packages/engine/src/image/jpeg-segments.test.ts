import { describe, expect, test } from '@jest/globals';
import { jpegSegments } from './jpeg-segments.ts';
import { fixture } from './testing/fixture.ts';

const markers = (bytes: Uint8Array) => [...jpegSegments(bytes)].map(({ marker }) => marker);
const START = [0xff, 0xd8];

describe('jpegSegments', () => {
  test('lists a baseline JPEG: tables, frame, one scan', () => {
    const all = markers(fixture('master.jpg'));
    expect(all[0]).toBe(0xdb);
    expect(all).toContain(0xc0);
    expect(all.filter((marker) => marker === 0xda)).toHaveLength(1);
    expect(all.at(-1)).toBe(0xda);
  });

  test('finds every scan of a progressive JPEG', () => {
    const all = markers(fixture('small-progressive.jpg'));
    expect(all.filter((marker) => marker === 0xda).length).toBeGreaterThan(5);
  });

  test('ends with the first image', () => {
    const first = markers(fixture('master.jpg'));
    // The multi-picture index is an additional segment.
    expect(markers(fixture('master.mpo'))).toHaveLength(first.length + 1);
  });

  test('skips stuffed bytes and restart markers in a scan', () => {
    const scan = [0xff, 0xda, 0, 2, 1, 0xff, 0, 2, 0xff, 0xd3, 3, 0xff, 0xd7, 4];
    expect(markers(Uint8Array.from([...START, ...scan, 0xff, 0xe1, 0, 2, 0xff, 0xd9]))).toEqual([
      0xda, 0xe1,
    ]);
  });

  test.each([
    ['nothing behind the start', []],
    ['bytes that are not a marker', [1, 2, 3, 4]],
    ['the end mark', [0xff, 0xd9, 0xff, 0xe1, 0, 2]],
    ['fill bytes to the end', [0xff, 0xff, 0xff, 0xff, 0xff]],
  ])('ends at %s', (_, bytes) => {
    expect(markers(Uint8Array.from([...START, ...bytes]))).toEqual([]);
  });

  test.each([
    ['a scan without an end', [0xff, 0xda, 0, 2, 1, 2, 3, 0xff]],
    ['a segment beyond the end of the file', [0xff, 0xda, 0xff, 0xff, 1, 2]],
    ['a segment without a length', [0xff, 0xda, 0, 0]],
  ])('ends with %s', (_, bytes) => {
    expect(markers(Uint8Array.from([...START, ...bytes]))).toEqual([0xda]);
  });
});
