import { darker, lighter, mix } from './colour.ts';
import { blob, element, type Point, smooth } from './shape.ts';
import type { Sitter } from './sitter.ts';

/** How far the tip of the nose stands out, and the lips. */
const NOSE_RAISED = 26;
const LIPS_RAISED = 6;

export function nose({ person: { skin, nose }, pose, at, all }: Sitter): string {
  const { length, width, bridge } = nose;
  const dark = darker(skin, 0.6);
  const shaded = pose.light > 0 ? -1 : 1;
  const flank: Point[] = [
    [shaded * 9, -12],
    [shaded * 8, length * 0.45],
    [shaded * width * 0.85, length - 8],
    [shaded * width * 0.3, length - 6],
    [shaded * 4, length * 0.4],
    [shaded * 4, -10],
  ];
  const ridge: Point[] = [at(0, -16, 4), at(0, length * 0.4, 14), at(0, length - 10, NOSE_RAISED)];
  const wing = (side: number) =>
    element('path', {
      d: smooth(
        [
          at(side * width * 0.72, length - 15, 8),
          at(side * (width + 1), length - 6, 4),
          at(side * width * 0.92, length + 3, 6),
          at(side * width * 0.62, length + 4, 10),
        ],
        false,
      ),
      ...{ fill: 'none', stroke: dark, opacity: 0.5, 'stroke-linecap': 'round' },
      'stroke-width': 2.4,
    });
  const nostril = (side: number) => {
    const [cx, cy] = at(side * width * 0.48, length + 3, 14);
    return element('ellipse', {
      ...{ cx, cy, rx: width * 0.25, ry: 3, fill: darker(skin, 0.8), opacity: 0.8 },
    });
  };
  return [
    blob(at(0, length + 12, 8), [width * 1.1, 6], { colour: dark, opacity: 0.5 }),
    element('path', {
      d: smooth(all(flank, 10)),
      ...{ fill: dark, opacity: 0.42 * bridge, filter: 'url(#blur4)' },
    }),
    element('path', {
      d: smooth(ridge, false),
      ...{ fill: 'none', stroke: lighter(skin, 0.6), opacity: 0.5, 'stroke-linecap': 'round' },
      ...{ 'stroke-width': 8 * bridge, filter: 'url(#blur4)' },
    }),
    blob(at(pose.light * 3, length - 7, NOSE_RAISED), [7, 6], {
      colour: lighter(skin, 0.75),
      opacity: 0.55,
    }),
    element(
      'g',
      { filter: 'url(#blur1)' },
      [-1, 1].map((side) => wing(side) + nostril(side)).join(''),
    ),
  ].join('');
}

export function mouth(sitter: Sitter): string {
  const { person, pose, id } = sitter;
  const { skin, mouth } = person;
  const { smile } = pose;
  const width = mouth.width * (1 + smile * 0.14);
  const y = mouth.below;
  const corner: Point = [width, y - smile * 9];
  const opening = smile >= 0.5 ? (smile - 0.35) * 17 : 0;
  const to = (points: readonly Point[]) => sitter.all(points, LIPS_RAISED);
  const half = (points: readonly Point[]): Point[] => [
    ...points.filter(([x]) => x > 0).map(([x, yy]): Point => [-x, yy]),
    ...[...points].reverse(),
  ];
  // Each line runs from the left corner to the right one.
  const top = half([
    corner,
    [width * 0.55, y - mouth.upper * 0.75 - smile * 4],
    [width * 0.2, y - mouth.upper],
    [0, y - mouth.upper * 0.72],
  ]);
  const upperEdge = half([corner, [width * 0.5, y - smile * 2], [0, y + 1]]);
  const lowerEdge = half([corner, [width * 0.5, y + opening * 0.72 + smile], [0, y + 1 + opening]]);
  const bottom = half([
    corner,
    [width * 0.6, y + mouth.lower * 0.72 + opening * 0.8],
    [0, y + mouth.lower + opening],
  ]);
  const inside = smooth([...to(upperEdge), ...to(lowerEdge).reverse().slice(1, -1)]);
  const lip = (a: Point[], b: Point[], fill: string) =>
    element('path', { d: smooth([...to(a), ...to(b).reverse().slice(1, -1)]), fill });
  const [hx, hy] = sitter.at(pose.light * 5, y + opening + mouth.lower * 0.55, LIPS_RAISED);
  return [
    blob(sitter.at(0, y + opening + mouth.lower + 9), [width * 0.55, 6], {
      colour: darker(skin, 0.55),
      opacity: 0.42,
    }),
    opening > 0 ? teeth(inside, `${id}-mouth`, to([[0, y + opening * 0.3]])[0]!) : '',
    lip(top, upperEdge, darker(mouth.colour, 0.14)),
    lip(lowerEdge, bottom, mouth.colour),
    element('ellipse', {
      ...{ cx: hx, cy: hy, rx: width * 0.3, ry: mouth.lower * 0.2, opacity: 0.5 },
      ...{ fill: lighter(mouth.colour, 0.55), filter: 'url(#blur2)' },
    }),
    element('path', {
      d: smooth(to(upperEdge), false),
      ...{ fill: 'none', stroke: mix(darker(mouth.colour, 0.7), '#301010', 0.3), opacity: 0.85 },
      ...{ 'stroke-width': 2.2, 'stroke-linecap': 'round' },
    }),
    ...[-1, 1].map((side) =>
      blob(sitter.at(side * (width + 3), corner[1] + 1), [5, 4], {
        colour: darker(skin, 0.55),
        opacity: 0.45,
      }),
    ),
  ].join('');
}

function teeth(inside: string, clip: string, [cx, cy]: Point): string {
  const gaps = [-3, -2, -1, 0, 1, 2, 3].map((i) =>
    element('path', {
      d: `M${cx + i * 7.5} ${cy - 14}v26`,
      ...{ stroke: '#b9aca4', 'stroke-width': 0.8, opacity: 0.6 },
    }),
  );
  return (
    element('clipPath', { id: clip }, element('path', { d: inside })) +
    element('path', { d: inside, fill: '#4a1c1a' }) +
    element(
      'g',
      { 'clip-path': `url(#${clip})` },
      element('ellipse', { cx, cy: cy - 3, rx: 30, ry: 11, fill: '#f4efe8' }) + gaps.join(''),
    )
  );
}
