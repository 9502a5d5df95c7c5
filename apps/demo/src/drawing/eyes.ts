import { darker, lighter, mix } from './colour.ts';
import { element, type Point, smooth, turned } from './shape.ts';
import { randomNumbers } from './random.ts';
import type { Sitter } from './sitter.ts';

type Side = -1 | 1;

/** Half the width of an eye of size 1, and how high its lids stand when it is open. */
const HALF = 21.5;
const UPPER = 10.5;
const LOWER = 6.5;

export function eyes(sitter: Sitter): string {
  return ([-1, 1] as const).map((side) => eye(sitter, side) + brow(sitter, side)).join('');
}

function eye(sitter: Sitter, side: Side): string {
  const { person, pose, id, at, all } = sitter;
  const { eyes, skin, lines } = person;
  const half = HALF * eyes.size;
  // Who smiles narrows the eyes.
  const open = eyes.open * eyes.size * (1 - pose.smile * 0.22);
  const [up, down] = [UPPER * open, LOWER * open];
  const lid = (points: readonly Point[]): Point[] =>
    all(
      turned(
        points.map(([x, y]): Point => [side * (eyes.apart + x), y]),
        [side * eyes.apart, 0],
        -side * eyes.slant,
      ),
    );
  const upper = lid([
    [-half, 3],
    [-half * 0.5, -up * 0.78],
    [half * 0.1, -up],
    [half * 0.62, -up * 0.66],
    [half, 0],
  ]);
  const lower = lid([
    [half, 0],
    [half * 0.5, down * 0.8],
    [-half * 0.1, down],
    [-half * 0.62, down * 0.75],
    [-half, 3],
  ]);
  const opening = smooth([...upper, ...lower.slice(1, -1)]);
  const clip = `${id}-eye${side}`;
  const [ix, iy] = at(side * eyes.apart, -1.5);
  const iris = 10.6 * Math.sqrt(eyes.size);
  const crease = lid([
    [-half * 0.92, -4],
    [-half * 0.4, -up * 0.95 - 7],
    [half * 0.3, -up - 7.5],
    [half * 1.05, -4],
  ]);
  return [
    element('clipPath', { id: clip }, element('path', { d: opening })),
    element('path', { d: opening, fill: '#f3ede8' }),
    element(
      'g',
      { 'clip-path': `url(#${clip})` },
      [
        element('circle', { cx: ix, cy: iy, r: iris, fill: darker(eyes.iris, 0.45) }),
        element('circle', { cx: ix, cy: iy, r: iris * 0.84, fill: eyes.iris }),
        element('circle', {
          ...{ cx: ix, cy: iy + 3.4, r: iris * 0.55 },
          ...{ fill: lighter(eyes.iris, 0.35), opacity: 0.45 },
        }),
        element('circle', { cx: ix, cy: iy, r: iris * 0.46, fill: '#100b0a' }),
        // The upper lid throws a shadow on the ball.
        element('path', {
          d: smooth(upper, false),
          ...{ fill: 'none', stroke: '#3a2620', opacity: 0.55 },
          ...{ 'stroke-width': 7, filter: 'url(#blur2)' },
        }),
        element('circle', { cx: ix + pose.light * 3.6, cy: iy - 4, r: 2.6, fill: '#ffffff' }),
      ].join(''),
    ),
    element('path', {
      d: smooth(lower, false),
      ...{ fill: 'none', stroke: darker(mix(skin, '#b0604c', 0.3), 0.35), opacity: 0.75 },
      ...{ 'stroke-width': 1.8, 'stroke-linecap': 'round' },
    }),
    element('path', {
      d: smooth(upper, false),
      ...{ fill: 'none', stroke: darker(person.brows.colour, 0.65), 'stroke-linecap': 'round' },
      'stroke-width': 3.6 - lines * 0.8,
    }),
    element('path', {
      d: smooth(crease, false),
      ...{ fill: 'none', stroke: darker(skin, 0.55), opacity: 0.55 },
      ...{ 'stroke-width': 2, 'stroke-linecap': 'round' },
    }),
  ].join('');
}

function brow(sitter: Sitter, side: Side): string {
  const { person, all } = sitter;
  const { above, thick, arch, colour } = person.brows;
  const { apart } = person.eyes;
  const line = (share: number, offset: number): Point => {
    const x = side * (apart - 26 + share * 56);
    const y = -above - arch * Math.sin(share * Math.PI * 0.8) + share * arch * 0.5 + offset;
    return [x, y];
  };
  // Thick at the nose, tapered to the temple.
  const shares = [0, 0.15, 0.4, 0.65, 0.85, 1];
  const width = (share: number) => thick * (share < 0.15 ? 0.6 : 1 - ((share - 0.15) / 0.85) * 0.8);
  const edge = (sign: number) => shares.map((share) => line(share, (sign * width(share)) / 2));
  const random = randomNumbers(side * 77 + 1000);
  const hairs = Array.from({ length: 26 }, () => {
    const share = random() * 0.9;
    const [x, y] = line(share, (random() - 0.4) * width(share));
    const hair: Point[] = [
      [x, y + 2],
      [x + side * (5 + random() * 4), y - 3.5 + share * 5],
    ];
    return element('path', {
      d: smooth(all(hair), false),
      ...{ fill: 'none', stroke: darker(colour, 0.3), 'stroke-width': 1.3, opacity: 0.6 },
    });
  });
  return (
    element('path', {
      d: smooth(all([...edge(-1), ...edge(1).reverse()])),
      ...{ fill: colour, opacity: 0.85, filter: 'url(#blur1)' },
    }) + hairs.join('')
  );
}
