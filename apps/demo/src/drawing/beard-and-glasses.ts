import { darker, lighter } from './colour.ts';
import { randomNumbers } from './random.ts';
import { element, type Point, smooth } from './shape.ts';
import type { Sitter } from './sitter.ts';

/** Drawn below the mouth, on the face. */
export function beard(sitter: Sitter): string {
  const { person } = sitter;
  const kind = person.beard;
  if (kind === undefined) return '';
  const { face, nose, mouth } = person;
  const lip = nose.length + 14;
  const m = mouth.below;
  const moustache: Point[] = [
    [0, lip + 2],
    [mouth.width * 0.6, lip],
    [mouth.width + 8, m + 2],
    [mouth.width + 5, m + 10],
    [mouth.width * 0.7, m - 5],
    [0, m - mouth.upper + 2],
    [-mouth.width * 0.7, m - 5],
    [-mouth.width - 5, m + 10],
    [-mouth.width - 8, m + 2],
    [-mouth.width * 0.6, lip],
  ];
  const half: Point[] = [
    [face.cheek * 1.02, 18],
    [face.jaw * 1.05, face.length * 0.62],
    [face.chin * 1.1, face.length * 0.96],
    [0, face.length + 8],
  ];
  const inner: Point[] = [
    [face.cheek * 0.88, 40],
    [mouth.width + 18, m - 18],
    [mouth.width + 6, m + 8],
    [mouth.width * 0.5, m + mouth.lower + 9],
    [0, m + mouth.lower + 12],
  ];
  const flip = (points: readonly Point[]) =>
    points.filter(([x]) => x > 0).map(([x, y]): Point => [-x, y]);
  const jaw: Point[] = [...half, ...flip(half).reverse(), ...flip(inner), ...[...inner].reverse()];
  const hairs = bristles(sitter, kind === 'moustache' ? moustache : jaw);
  const shapes = kind === 'moustache' ? [moustache] : [jaw, moustache];
  const drawn = shapes.map((shape) =>
    element('path', {
      d: smooth(sitter.all(shape, 2)),
      fill: darker(person.hair.colour, 0.15),
      ...{ opacity: 0.93, filter: 'url(#blur2)' },
    }),
  );
  return drawn.join('') + hairs;
}

function bristles({ person, at }: Sitter, area: readonly Point[]): string {
  const random = randomNumbers(4242);
  return Array.from({ length: 130 }, () => {
    const a = area[Math.floor(random() * area.length)]!;
    const b = area[Math.floor(random() * area.length)]!;
    if (Math.sign(a[0]) * Math.sign(b[0]) < 0) return '';
    const share = random() * 0.35;
    const [x, y] = [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
    const hair: Point[] = [at(x, y - 4), at(x * 0.97, y + 7)];
    const tone =
      random() < 0.5 ? lighter(person.hair.colour, 0.25) : darker(person.hair.colour, 0.5);
    return element('path', {
      d: smooth(hair, false),
      ...{ fill: 'none', stroke: tone, 'stroke-width': 1.4, opacity: 0.45 },
    });
  }).join('');
}

export function glasses({ person, at, pose }: Sitter): string {
  if (person.glasses !== true) return '';
  const { apart } = person.eyes;
  const [rx, ry] = [31, 29];
  const frame = { fill: 'none', stroke: '#5c4022', 'stroke-width': 4 };
  const lens = (side: number) => {
    const [cx, cy] = at(side * (apart + 1), 4, 8);
    const box = { x: cx - rx, y: cy - ry, width: rx * 2, height: ry * 2, rx, ry };
    return (
      element('rect', { ...box, fill: '#dff0ff', opacity: 0.13 }) +
      element('path', {
        d: `M${cx - rx * 0.5 + pose.light * 8} ${cy - ry * 0.5}l${rx * 0.4} ${-ry * 0.2}`,
        ...{ stroke: '#ffffff', 'stroke-width': 3, opacity: 0.5, 'stroke-linecap': 'round' },
      }) +
      element('rect', { ...box, ...frame })
    );
  };
  const [bl, br] = [at(-apart + rx - 2, 0, 12), at(apart - rx + 2, 0, 12)];
  const temple = (side: number): Point[] => [
    at(side * (apart + rx), -1, 6),
    [side * (person.face.temple + 3) - pose.yaw * 0.4, -8],
  ];
  return [
    lens(-1),
    lens(1),
    element('path', { d: smooth([bl, at(0, -5, 18), br], false), ...frame }),
    element('path', { d: smooth(temple(-1), false), ...frame }),
    element('path', { d: smooth(temple(1), false), ...frame }),
  ].join('');
}
