import { describe, expect, test } from '@jest/globals';
import type { Finding } from './finding.ts';
import { overlay } from './overlay.ts';

const PICTURE = { width: 700, height: 490 };
const face = (text: string, x: number, y: number): Finding => ({
  ...{ kind: 'known', text },
  box: { x, y, w: 60, h: 80 },
});

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
  test('the text of a face stands above its box', () => {
    const [paper] = papers(overlay([face('Ada', 100, 200)], PICTURE, 20));
    expect(paper).toMatchObject({ x: 100, y: 170, height: 30 });
  });

  test('texts stay inside the picture', () => {
    const corners = [face('Ada', -5, 0), face('Grace Hopper', 690, 470)];
    for (const { x, y, width, height } of papers(overlay(corners, PICTURE))) {
      expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(PICTURE.width + 0.01);
      expect(y + height).toBeLessThanOrEqual(PICTURE.height + 0.01);
    }
  });

  test('texts of boxes that lie on each other do not', () => {
    const objects = ['cup', 'vase', 'bowl', 'bottle'].map((text): Finding => {
      return { kind: 'object', text, box: { x: 300, y: 200, w: 160, h: 120 } };
    });
    const all = papers(overlay([...objects, face('Ada', 310, 300)], PICTURE));
    expect(all).toHaveLength(5);
    const overlapping = all.flatMap((a, i) =>
      all
        .slice(i + 1)
        .filter((b) => a.x < b.x + b.width && b.x < a.x + a.width)
        .filter((b) => a.y < b.y + b.height && b.y < a.y + a.height),
    );
    expect(overlapping).toEqual([]);
  });

  test('a name is text, whatever it holds', () => {
    const svg = overlay([face('<b>&"', 100, 100)], PICTURE);
    expect(svg).toContain('>&#60;b&#62;&#38;"</text>');
  });

  test('nothing was found', () => {
    expect(papers(overlay([], PICTURE))).toEqual([]);
  });
});
