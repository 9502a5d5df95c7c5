import { type Colour, darker, lighter } from './colour.ts';
import { randomNumbers } from './random.ts';
import { across, down } from './shading.ts';
import { blob, element, type Point, smooth } from './shape.ts';

/** A clock on the wall, 100 wide; the middle is the origin. */
export function clock(): string {
  const marks = Array.from({ length: 12 }, (_, hour) =>
    element('path', {
      d: `M0 -39V${hour % 3 === 0 ? -31 : -35}`,
      transform: `rotate(${hour * 30})`,
      ...{ stroke: '#26262b', 'stroke-width': hour % 3 === 0 ? 4 : 2 },
    }),
  );
  const hand = (length: number, width: number, degrees: number) =>
    element('path', {
      d: `M0 7V${-length}`,
      transform: `rotate(${degrees})`,
      ...{ stroke: '#1b1b1f', 'stroke-width': width, 'stroke-linecap': 'round' },
    });
  return [
    blob([5, 8], [44, 44], { colour: '#1d1208', opacity: 0.5 }),
    element('circle', { r: 50, fill: '#2b2b30' }),
    element('circle', { r: 44, fill: '#fbfaf5' }),
    ...marks,
    hand(21, 5, 305),
    hand(32, 3.5, 52),
    element('circle', { r: 4, fill: '#b3352e' }),
  ].join('');
}

/** A plant in a pot that stands on the origin, 380 high. */
export function pottedPlant(): string {
  const random = randomNumbers(12);
  const leaves = Array.from({ length: 26 }, (_, i) => {
    const degrees = -78 + ((i * 61) % 157) + random() * 10;
    const length = 130 + random() * 120;
    const width = 17 + random() * 11;
    const leaf: Point[] = [
      [0, 0],
      [-width * 0.5, -length * 0.4],
      [-width, -length * 0.68],
      [0, -length],
      [width, -length * 0.68],
      [width * 0.5, -length * 0.4],
    ];
    const tone = random();
    const green: Colour =
      tone < 0.5 ? darker('#3f8a45', 0.1 + tone * 0.8) : lighter('#3f8a45', (tone - 0.5) * 0.5);
    return element(
      'g',
      { transform: `translate(0 -118) rotate(${degrees.toFixed(1)})` },
      element('path', { d: smooth(leaf), fill: green }) +
        element('path', {
          d: `M0 0V${(-length * 0.94).toFixed(1)}`,
          ...{ stroke: lighter(green, 0.3), 'stroke-width': 2, opacity: 0.6 },
        }),
    );
  });
  return [
    across('pot', [
      [0, '#8f4a2c'],
      [0.35, '#d0764b'],
      [1, '#6f3520'],
    ]),
    ...leaves,
    element('path', { d: 'M-62 -128H62L48 0H-48Z', fill: 'url(#pot)' }),
    element('rect', { x: -70, y: -138, width: 140, height: 28, rx: 5, fill: 'url(#pot)' }),
    element('rect', { x: -62, y: -112, width: 124, height: 9, fill: '#4a2415', opacity: 0.35 }),
  ].join('');
}

/** A cup with a handle that stands on the origin, about 90 wide. */
export function cup(colour: Colour): string {
  const id = `cup${colour.slice(1)}`;
  return [
    across(id, [
      [0, darker(colour, 0.35)],
      [0.3, lighter(colour, 0.35)],
      [0.65, colour],
      [1, darker(colour, 0.45)],
    ]),
    blob([4, 2], [50, 9], { colour: '#1d0f06', opacity: 0.6 }),
    element('path', {
      d: 'M34 -66C74 -72 72 -18 31 -22',
      ...{ fill: 'none', stroke: darker(colour, 0.25), 'stroke-width': 10 },
    }),
    element('path', {
      d: 'M-40 -84C-40 -30 -36 -2 -24 0C-10 4 10 4 24 0C36 -2 40 -30 40 -84Z',
      fill: `url(#${id})`,
    }),
    element('ellipse', { cx: 0, cy: -84, rx: 40, ry: 10, fill: lighter(colour, 0.4) }),
    element('ellipse', { cx: 0, cy: -82, rx: 34, ry: 7.5, fill: '#3b2114' }),
  ].join('');
}

/** A wine bottle that stands on the origin, 250 high. */
export function bottle(): string {
  const outline =
    'M-33 0C-38 -2 -38 -8 -38 -14V-128C-38 -158 -14 -160 -14 -190V-244H14V-190C14 -160 38 -158 38 -128V-14C38 -8 38 -2 33 0Z';
  return [
    across('glass', [
      [0, '#0f2216'],
      [0.25, '#3d6b48'],
      [0.45, '#1e3d28'],
      [1, '#08130c'],
    ]),
    blob([6, 2], [46, 8], { colour: '#1d0f06', opacity: 0.6 }),
    element('path', { d: outline, fill: 'url(#glass)' }),
    element('rect', { x: -15, y: -250, width: 30, height: 44, rx: 3, fill: '#7c1f26' }),
    element('rect', { x: -38, y: -112, width: 76, height: 72, fill: '#efe6d2' }),
    element('path', {
      d: 'M-26 -92H26M-18 -78H18M-22 -60H22',
      stroke: '#7c1f26',
      'stroke-width': 4,
    }),
    element('path', {
      d: 'M-27 -130V-20',
      stroke: '#cfe8d6',
      'stroke-width': 5,
      opacity: 0.35,
      'stroke-linecap': 'round',
    }),
  ].join('');
}

/** A wine glass that stands on the origin, 170 high. */
export function wineGlass(): string {
  const bowl = 'M-38 -170C-44 -110 -30 -82 0 -80C30 -82 44 -110 38 -170Z';
  return [
    element('ellipse', { cx: 0, cy: -3, rx: 34, ry: 7, fill: '#e8eef2', opacity: 0.5 }),
    element('path', { d: 'M0 -82V-6', stroke: '#e8eef2', 'stroke-width': 6, opacity: 0.7 }),
    element('path', {
      d: 'M-41 -134C-41 -100 -28 -83 0 -82C28 -83 41 -100 41 -134Z',
      fill: '#7a1626',
    }),
    element('ellipse', { cx: 0, cy: -134, rx: 41, ry: 7, fill: '#a12b3c' }),
    element('path', {
      d: bowl,
      fill: '#ffffff',
      opacity: 0.16,
      stroke: '#ffffff',
      'stroke-width': 2,
    }),
    element('path', {
      d: 'M-26 -160C-30 -128 -26 -108 -16 -96',
      fill: 'none',
      stroke: '#ffffff',
      'stroke-width': 5,
      opacity: 0.55,
    }),
  ].join('');
}

/** A bowl of oranges and apples that stands on the origin, 200 wide. */
export function fruitBowl(): string {
  const fruit = (x: number, y: number, colour: Colour) =>
    element('circle', { cx: x, cy: y, r: 36, fill: colour }) +
    blob([x - 11, y - 12], [13, 11], { colour: lighter(colour, 0.7), opacity: 0.75 }) +
    blob([x + 12, y + 16], [18, 15], { colour: darker(colour, 0.6), opacity: 0.5 }) +
    element('path', {
      d: `M${x} ${y - 30}q3 -10 8 -13`,
      fill: 'none',
      stroke: '#4a2f14',
      'stroke-width': 4,
    });
  return [
    down('bowl', [
      [0, '#f3f5f7'],
      [1, '#9fb0bd'],
    ]),
    blob([6, 2], [84, 11], { colour: '#1d0f06', opacity: 0.6 }),
    fruit(-46, -74, '#e98a1f'),
    fruit(44, -76, '#c9302c'),
    fruit(0, -98, '#ef9a2a'),
    element('path', {
      d: 'M-104 -72C-96 -20 -60 0 0 0C60 0 96 -20 104 -72C60 -58 -60 -58 -104 -72Z',
      fill: 'url(#bowl)',
    }),
  ].join('');
}

/** A laptop seen from its back, 300 wide, standing on the origin. */
export function laptop(): string {
  return [
    down('lid', [
      [0, '#c3c9cf'],
      [1, '#858d96'],
    ]),
    blob([0, 0], [170, 10], { colour: '#1d0f06', opacity: 0.6 }),
    element('path', {
      d: 'M-150 -8H150L166 4C166 8 160 8 150 8H-150C-160 8 -166 8 -166 4Z',
      fill: '#6d747c',
    }),
    element('rect', {
      x: -146,
      y: -200,
      width: 292,
      height: 194,
      rx: 12,
      fill: 'url(#lid)',
      stroke: '#5d646b',
      'stroke-width': 2,
    }),
    element('circle', { cx: 0, cy: -104, r: 17, fill: '#eef2f5', opacity: 0.75 }),
  ].join('');
}

/** A closed book that lies on the origin, 190 wide. */
export function book(colour: Colour): string {
  return [
    blob([4, 2], [100, 8], { colour: '#1d0f06', opacity: 0.5 }),
    element('rect', { x: -92, y: -30, width: 184, height: 24, fill: '#f3ecd9' }),
    element('path', {
      d: 'M-92 -24H92M-92 -18H92M-92 -12H92',
      stroke: '#cdbf9f',
      'stroke-width': 1.5,
    }),
    element('path', {
      d: 'M92 -38H-88C-100 -38 -100 0 -88 0H92V-8H-84C-90 -8 -90 -30 -84 -30H92Z',
      fill: colour,
    }),
  ].join('');
}
