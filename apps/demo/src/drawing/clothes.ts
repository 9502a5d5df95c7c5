import { type Colour, darker, lighter } from './colour.ts';
import type { Person } from './person.ts';
import { blob, element, mirrored, type Point, smooth } from './shape.ts';
import type { Sitter } from './sitter.ts';

/** Half the width of the shoulders. */
const SHOULDERS = 200;

type Cut = Person['clothes']['cut'];

/** How far the neckline reaches down in the middle. */
const NECKLINE: Readonly<Record<Cut, number>> = { crew: 34, shirt: 84, roll: 30, v: 92 };

/** Shoulders and trunk, from the neck down to `bottom` units below the eyes. */
export function clothes({ person, pose, id }: Sitter, bottom: number): string {
  const { cut, colour } = person.clothes;
  const neck = person.face.jaw * 0.68 + 6;
  const top = person.face.length + (cut === 'roll' ? 8 : 28);
  const right: Point[] = [
    [neck, top],
    [neck + 55, top + 25],
    [SHOULDERS - 62, top + 44],
    [SHOULDERS - 18, top + 84],
    [SHOULDERS + 1, top + 140],
    [SHOULDERS + 8, top + 210],
    [SHOULDERS + 12, top + 300],
    [SHOULDERS + 14, Math.max(bottom, top + 400)],
  ];
  const left = right.map(([x, y]): Point => [-x, y]).reverse();
  const d = `${smooth(right, false)}L${smooth(left, false).slice(1)}L0 ${top + NECKLINE[cut]}Z`;
  const shade = darker(colour, 0.6);
  const inside = [
    ...[-125, -70, 62, 128].map((x) => fold(x, top, darker(colour, 0.45))),
    blob([-pose.light * 200, top + 190], [80, 190], { colour: shade, opacity: 0.5 }),
    blob([pose.light * 95, top + 75], [70, 40], { colour: lighter(colour, 0.5), opacity: 0.3 }),
    blob([0, top + NECKLINE[cut] - 10], [70, 34], { colour: shade, opacity: 0.35 }),
  ];
  return [
    element('clipPath', { id: `${id}-clothes` }, element('path', { d })),
    element('path', { d, fill: colour }),
    element('g', { 'clip-path': `url(#${id}-clothes)` }, inside.join('')),
    collar(cut, { neck, top, colour }),
  ].join('');
}

function fold(x: number, top: number, stroke: Colour): string {
  const line: Point[] = [
    [x * 0.75, top + 92],
    [x, top + 160],
    [x * 1.04, top + 330],
  ];
  return element('path', {
    d: smooth(line, false),
    ...{ fill: 'none', stroke, opacity: 0.22, 'stroke-width': 5, 'stroke-linecap': 'round' },
  });
}

interface Neckline {
  /** Half the width of the neck. */
  readonly neck: number;
  readonly top: number;
  readonly colour: Colour;
}

function collar(cut: Cut, neckline: Neckline): string {
  const { neck, top, colour } = neckline;
  switch (cut) {
    case 'roll':
      return roll(neckline);
    case 'shirt':
      return [-1, 1].map((side) => lapel(side, neckline)).join('');
    case 'crew':
    case 'v': {
      const [reach, deep] = [neck * (cut === 'v' ? 0.45 : 0.62), top + NECKLINE[cut]];
      const bend = top + NECKLINE[cut] * (cut === 'v' ? 0.58 : 0.72);
      const edge: Point[] = [
        [-neck, top - 2],
        [-reach, bend],
        [0, deep],
        [reach, bend],
        [neck, top - 2],
      ];
      const line = { fill: 'none', stroke: darker(colour, 0.25), 'stroke-width': 8 };
      return element('path', { d: smooth(edge, false), ...line });
    }
  }
}

function roll({ neck, top, colour }: Neckline): string {
  const shape = mirrored([
    [0, top + 14],
    [neck, top - 4],
    [neck + 5, top + 34],
    [0, top + 58],
  ]);
  const seam: Point[] = [
    [-neck, top + 31],
    [0, top + 54],
    [neck, top + 31],
  ];
  const line = { fill: 'none', stroke: darker(colour, 0.5), 'stroke-width': 4, opacity: 0.5 };
  return (
    element('path', { d: smooth(shape), fill: lighter(colour, 0.1) }) +
    element('path', { d: smooth(seam, false), ...line })
  );
}

function lapel(side: number, { neck, top, colour }: Neckline): string {
  const corners: Point[] = [
    [neck, top - 10],
    [neck + 26, top + 22],
    [36, top + 104],
    [2, top + 84],
  ];
  return element('path', {
    d: `M${corners.map(([x, y]) => `${x * side} ${y}`).join('L')}Z`,
    ...{ fill: lighter(colour, 0.3), stroke: darker(colour, 0.3), 'stroke-width': 1.5 },
  });
}
