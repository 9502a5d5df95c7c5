import { describe, expect, test } from '@jest/globals';
import { openGif } from './decode-gif.ts';
import { fixture } from './testing/fixture.ts';

/** The offset of the canvas size in the header. */
const CANVAS_AT = 6;

function frameAt(bytes: Uint8Array): number {
  const control = Buffer.from(bytes).indexOf('!\xf9', 0, 'latin1');
  return Buffer.from(bytes).indexOf(',', control) + 5;
}

function withSize(name: string, at: (bytes: Uint8Array) => number, size: [number, number]) {
  const bytes = fixture(name);
  const view = new DataView(bytes.buffer);
  view.setUint16(at(bytes), size[0], true);
  view.setUint16(at(bytes) + 2, size[1], true);
  return bytes;
}

const GIFS = ['master.gif', 'small-animated.gif', 'small-transparent.gif'];
const SIZES: [number, number][] = [
  [0, 0],
  [0, 9],
  [9, 0],
];

describe.each(GIFS)('%s', (name) => {
  test('opens with its size', async () => {
    const size = name.startsWith('master')
      ? { width: 256, height: 192 }
      : { width: 63, height: 47 };
    expect(await openGif(fixture(name))).toMatchObject(size);
  });

  test.each(SIZES)('is corrupt with a canvas of %i x %i', async (...size) => {
    const bytes = withSize(name, () => CANVAS_AT, size);
    await expect(openGif(bytes)).rejects.toMatchObject({ code: 'image_corrupt' });
  });

  test.each(SIZES)('is corrupt with a first frame of %i x %i', async (...size) => {
    const bytes = withSize(name, frameAt, size);
    await expect(openGif(bytes)).rejects.toMatchObject({ code: 'image_corrupt' });
  });

  test('is corrupt wherever it ends', async () => {
    const bytes = fixture(name);
    for (let length = 6; length < 60; length++) {
      const opened = openGif(bytes.subarray(0, length));
      await expect(opened).rejects.toMatchObject({ code: 'image_corrupt' });
    }
  });
});
