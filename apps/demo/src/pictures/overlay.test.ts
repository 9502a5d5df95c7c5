import { describe, expect, test } from '@jest/globals';
import type { Finding } from './finding.ts';
import { overlay } from './overlay.ts';

const PICTURE = { width: 700, height: 490 };
const face = (text: string, x: number, y: number): Finding => ({
  kind: 'known',
  text,
  box: { x, y, w: 60, h: 80 },
});

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The filled rectangles of the SVG, which are the backgrounds of the texts. */
async function backgrounds(found: readonly Finding[], fontSize = 20): Promise<Rectangle[]> {
  const svg = await overlay(found, PICTURE, fontSize);
  return [...svg.matchAll(/<rect ([^>]*)>/g)]
    .map(([, attributes]) => attributes!)
    .filter((attributes) => !attributes.includes('fill="none"'))
    .map((attributes) => {
      const value = (name: string) =>
        Number(new RegExp(`\\b${name}="([-\\d.]+)"`).exec(attributes)![1]);
      return { x: value('x'), y: value('y'), width: value('width'), height: value('height') };
    });
}

describe('overlay', () => {
  test('the text of a face is above its box', async () => {
    const [background] = await backgrounds([face('Ada', 100, 200)]);
    expect(background).toMatchObject({ x: 100, y: 170, height: 30 });
  });

  test('texts stay inside the picture', async () => {
    const corners = [face('Ada', -5, 0), face('Grace Hopper', 690, 470)];
    for (const { x, y, width, height } of await backgrounds(corners)) {
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(PICTURE.width + 0.01);
      expect(y + height).toBeLessThanOrEqual(PICTURE.height + 0.01);
    }
  });

  test('texts do not overlap where their boxes do', async () => {
    const objects = ['cup', 'vase', 'bowl', 'bottle'].map((text): Finding => {
      return { kind: 'object', text, box: { x: 300, y: 200, w: 160, h: 120 } };
    });
    const all = await backgrounds([...objects, face('Ada', 310, 300)], 11);
    expect(all).toHaveLength(5);
    const overlapping = all.flatMap((a, i) =>
      all
        .slice(i + 1)
        .filter((b) => a.x < b.x + b.width && b.x < a.x + a.width)
        .filter((b) => a.y < b.y + b.height && b.y < a.y + a.height),
    );
    expect(overlapping).toEqual([]);
  });

  test('the background is as wide as the text', async () => {
    const [short] = await backgrounds([face('Io', 100, 200)]);
    const [long] = await backgrounds([face('Wilhelmina', 100, 200)]);
    expect(long!.width).toBeGreaterThan(3 * short!.width);
  });

  test('no findings: nothing is drawn', async () => {
    expect(await backgrounds([])).toEqual([]);
  });
});
