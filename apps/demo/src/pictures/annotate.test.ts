import { describe, expect, test } from '@jest/globals';
import { annotate } from './annotate.ts';
import type { Finding } from './finding.ts';
import { sharp } from './sharp.ts';
import { story } from './story.ts';

async function gray(width: number, height: number): Promise<Uint8Array> {
  const background = '#808080';
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}

async function pixel(jpeg: Uint8Array, x: number, y: number): Promise<number[]> {
  return [
    ...(await sharp(jpeg).extract({ left: x, top: y, width: 1, height: 1 }).raw().toBuffer()),
  ];
}

describe('annotate', () => {
  test('boxes are scaled from the original to a smaller picture', async () => {
    const finding: Finding = {
      kind: 'unknown',
      text: 'unknown',
      box: { x: 200, y: 400, w: 400, h: 400 },
    };
    const picture = await gray(500, 500);
    const jpeg = await annotate(picture, { width: 1000, height: 1000 }, [finding]);
    const { format, width, height } = await sharp(jpeg).metadata();
    expect({ format, width, height }).toEqual({ format: 'jpeg', width: 500, height: 500 });
    const [red, , blue] = await pixel(jpeg, 100, 300);
    expect(red! - blue!).toBeGreaterThan(80);
    const [r, g, b] = await pixel(jpeg, 200, 300);
    expect(Math.max(r!, g!, b!) - Math.min(r!, g!, b!)).toBeLessThan(12);
  });

  test('a picture without findings stays the same', async () => {
    const jpeg = await annotate(await gray(64, 48), { width: 64, height: 48 }, []);
    const [r] = await pixel(jpeg, 10, 10);
    expect(Math.abs(r! - 128)).toBeLessThan(4);
  });
});

test('story puts the portraits on the left of the picture, one below the other', async () => {
  const portrait = await gray(64, 72);
  const enrolled = ['Ada', 'Mei'].map((label) => ({ label, portrait }));
  const { width, height } = await sharp(await story(enrolled, await gray(320, 200))).metadata();
  // Two squares of 99 pixels, with a gap of 2 pixels beside and between them.
  expect({ width, height }).toEqual({ width: 320 + 99 + 2, height: 200 });
});
