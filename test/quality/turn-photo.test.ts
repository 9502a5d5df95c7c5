import { expect, test } from '@jest/globals';
import sharp from 'sharp';
import { boxInUpright, turnPhoto } from './turn-photo.ts';

const PHOTO = { width: 5, height: 3 };
const MARK = { x: 3, y: 0, w: 2, h: 1 };

/** A black photo in which the box MARK is white. */
function drawPhoto(): Buffer {
  const { width, height } = PHOTO;
  const isMarked = (index: number) => index < width && index % width >= MARK.x;
  const values = Array.from({ length: 3 * width * height }, (_, index) =>
    isMarked(Math.floor(index / 3)) ? 255 : 0,
  );
  return Buffer.from(values);
}

function asSharp(pixels: Buffer) {
  return sharp(pixels, { raw: { ...PHOTO, channels: 3 } });
}

test.each([
  [0, MARK],
  [90, { x: 2, y: 3, w: 1, h: 2 }],
  [180, { x: 0, y: 2, w: 2, h: 1 }],
  [270, { x: 0, y: 0, w: 1, h: 2 }],
] as const)('a photo turned by %d degrees has the same pixels elsewhere', async (turn, mark) => {
  const photo = await asSharp(drawPhoto()).png().toBuffer();
  const { png, upright } = await turnPhoto(photo, turn);
  expect(upright).toEqual(PHOTO);
  const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
  const inside = (index: number) => {
    const [x, y] = [index % info.width, Math.floor(index / info.width)];
    return x >= mark.x && x < mark.x + mark.w && y >= mark.y && y < mark.y + mark.h;
  };
  const pixels = Array.from(
    { length: data.length / info.channels },
    (_, index) => data[index * info.channels],
  );
  expect(pixels).toEqual(pixels.map((_, index) => (inside(index) ? 255 : 0)));
  expect(boxInUpright(mark, turn, upright)).toEqual(MARK);
});

test('the turn is counted from the upright position, and the turned photo has no EXIF data', async () => {
  const photo = await asSharp(drawPhoto()).withMetadata({ orientation: 6 }).png().toBuffer();
  const { png, upright } = await turnPhoto(photo, 90);
  expect(upright).toEqual({ width: PHOTO.height, height: PHOTO.width });
  const { width, height, orientation } = await sharp(png).metadata();
  expect([width, height, orientation]).toEqual([PHOTO.width, PHOTO.height, undefined]);
});
