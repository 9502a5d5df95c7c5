import { describe, expect, test } from '@jest/globals';
import type { Finding } from './finding.ts';
import { overlay, writeTexts } from './overlay.ts';

const PICTURE = { width: 700, height: 490 };
const face = (text: string, x: number, y: number): Finding => ({
  ...{ kind: 'known', text },
  box: { x, y, w: 60, h: 80 },
});

async function drawn(found: readonly Finding[], size = 20): Promise<string> {
  return overlay(await writeTexts(found, size), PICTURE, size);
}

interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The papers behind the texts: the rectangles that are filled. */
function papers(svg: string): Rectangle[] {
  return [...svg.matchAll(/<rect ([^>]*)\/>/g)]
    .map(([, attributes]) => attributes!)
    .filter((attributes) => !attributes.includes('fill="none"'))
    .map((attributes) => {
      const value = (name: string) =>
        Number(new RegExp(`\\b${name}="([-\\d.]+)"`).exec(attributes)![1]);
      return { x: value('x'), y: value('y'), width: value('width'), height: value('height') };
    });
}

describe('overlay', () => {
  test('the text of a face stands above its box', async () => {
    const [paper] = papers(await drawn([face('Ada', 100, 200)]));
    expect(paper).toMatchObject({ x: 100, y: 170, height: 30 });
  });

  test('texts stay inside the picture', async () => {
    const corners = [face('Ada', -5, 0), face('Grace Hopper', 690, 470)];
    for (const { x, y, width, height } of papers(await drawn(corners))) {
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(PICTURE.width + 0.01);
      expect(y + height).toBeLessThanOrEqual(PICTURE.height + 0.01);
    }
  });

  test('texts of boxes that lie on each other do not', async () => {
    const objects = ['cup', 'vase', 'bowl', 'bottle'].map((text): Finding => {
      return { kind: 'object', text, box: { x: 300, y: 200, w: 160, h: 120 } };
    });
    const all = papers(await drawn([...objects, face('Ada', 310, 300)], 11));
    expect(all).toHaveLength(5);
    const overlapping = all.flatMap((a, i) =>
      all
        .slice(i + 1)
        .filter((b) => a.x < b.x + b.width && b.x < a.x + a.width)
        .filter((b) => a.y < b.y + b.height && b.y < a.y + a.height),
    );
    expect(overlapping).toEqual([]);
  });

  test('the paper is as wide as the text', async () => {
    const [short, long] = await Promise.all(
      ['Io', 'Wilhelmina'].map(async (text) => papers(await drawn([face(text, 100, 200)]))[0]!),
    );
    expect(long!.width).toBeGreaterThan(3 * short!.width);
  });

  test('nothing was found', async () => {
    expect(papers(await drawn([]))).toEqual([]);
  });
});
