import { darker, lighter } from './colour.ts';
import { CROWN } from './face.ts';
import type { HairStyle, Person } from './person.ts';
import { randomNumbers } from './random.ts';
import { blob, element, mirrored, type Point, smooth } from './shape.ts';
import type { Sitter } from './sitter.ts';

/** The parts of a style: what hangs behind the head, and what lies on it. */
interface Hairstyle {
  back?(sitter: Sitter): string;
  front(sitter: Sitter): string;
}

export function backHair(sitter: Sitter): string {
  return STYLES[sitter.person.hair.style].back?.(sitter) ?? '';
}

export function frontHair(sitter: Sitter): string {
  return STYLES[sitter.person.hair.style].front(sitter);
}

const STYLES: Readonly<Record<HairStyle, Hairstyle>> = {
  cropped: {
    front: (sitter) => locks(sitter, cap(sitter, { part: 0, fringe: -80, side: -8 }), 'curled'),
  },
  long: {
    back: (sitter) => fall(sitter, 250),
    front: (sitter) => locks(sitter, parted(sitter, 215)),
  },
  bob: {
    back: (sitter) => fall(sitter, 128),
    front: (sitter) => locks(sitter, cap(sitter, { part: -0.5, fringe: -50, side: 40 })),
  },
  curly: { back: (sitter) => curls(sitter, 'back'), front: (sitter) => curls(sitter, 'front') },
  sides: { front: sides },
};

interface Cap {
  /** Where the hair parts: -1 the left temple, 1 the right. */
  readonly part: number;
  /** How high above the eyes the hair ends over the forehead, and at the sides. */
  readonly fringe: number;
  readonly side: number;
}

function cap({ person: { face }, pose, at }: Sitter, { part, fringe, side }: Cap): Point[] {
  const outer = mirrored([
    [0, CROWN - 30],
    [face.temple * 0.52, CROWN - 16],
    [face.temple * 0.98, -92],
    [face.temple * 1.07, -30],
    [face.temple * 1.02, side],
  ]).map(([x, y]): Point => [x - pose.yaw * 0.25, y]);
  const right = outer.slice(0, 5);
  const left = outer.slice(5);
  const [px] = at(part * face.temple * 0.6, fringe);
  const hairline: Point[] = [
    at(face.temple * 0.9, -34),
    at(face.temple * 0.8, fringe * 0.85),
    at(face.temple * 0.45, fringe - 4),
    [px, fringe - 16],
    at(-face.temple * 0.45, fringe - 2),
    at(-face.temple * 0.8, fringe * 0.85),
    at(-face.temple * 0.9, -34),
  ];
  return [...right, ...hairline, ...left];
}

/** Long hair from a middle parting down both sides of the face. */
function parted({ person: { face }, pose, at }: Sitter, down: number): Point[] {
  const shift = -pose.yaw * 0.25;
  const outer = mirrored([
    [0, CROWN - 30],
    [face.temple * 0.54, CROWN - 15],
    [face.temple * 1.06, -84],
    [face.temple * 1.2, -10],
    [face.temple * 1.24, down * 0.5],
    [face.temple * 1.12, down],
  ]).map(([x, y]): Point => [x + shift, y]);
  const inner: Point[] = [
    at(face.temple * 1.0, down * 0.5),
    at(face.temple * 0.96, 0),
    at(face.temple * 0.78, -52),
    at(face.temple * 0.36, -88),
    at(0.08 * face.temple, -104),
    at(-face.temple * 0.3, -90),
    at(-face.temple * 0.76, -54),
    at(-face.temple * 0.96, 0),
    at(-face.temple * 1.0, down * 0.5),
  ];
  return [...outer.slice(0, 6), ...inner, ...outer.slice(6)];
}

function fall({ person: { hair, face }, pose }: Sitter, down: number): string {
  const outline = mirrored([
    [0, CROWN - 18],
    [face.temple * 0.9, CROWN + 18],
    [face.temple * 1.26, -30],
    [face.temple * 1.34, down * 0.6],
    [face.temple * 1.1, down],
    [0, down * 0.98],
  ]).map(([x, y]): Point => [x - pose.yaw * 0.5, y]);
  return element('path', { d: smooth(outline), fill: darker(hair.colour, 0.45) });
}

/** A shape of hair with strands and shine. */
function locks(
  sitter: Sitter,
  outline: readonly Point[],
  texture: 'combed' | 'curled' = 'combed',
): string {
  const { person, pose, id } = sitter;
  const { colour } = person.hair;
  const d = smooth(outline);
  const strands = texture === 'combed' ? combed(person) : curled(person);
  const shine = blob([pose.light * 40, CROWN + 16], [46, 14], {
    colour: lighter(colour, 0.5),
    opacity: 0.45,
  });
  return (
    shadowOnFace(d, id) +
    element('clipPath', { id: `${id}-hair` }, element('path', { d })) +
    element('path', { d, fill: colour }) +
    element('g', { 'clip-path': `url(#${id}-hair)` }, strands + shine)
  );
}

/** Strands from the crown down both sides. */
function combed({ name, hair, face }: Person): string {
  const random = randomNumbers(name.length * 31 + 7);
  return Array.from({ length: 90 }, () => {
    const across = random() * 2 - 1;
    const x = across * face.temple * 1.1;
    const strand: Point[] = [
      [across * 22, CROWN - 24],
      [x * 0.8, CROWN + 14 + Math.abs(across) * 20],
      [x * 1.05, -52 + random() * 30],
      [x * 1.16, 60 + random() * 150],
    ];
    const stroke = random() < 0.55 ? darker(hair.colour, 0.4) : lighter(hair.colour, 0.28);
    return element('path', {
      d: smooth(strand, false),
      ...{ fill: 'none', stroke, opacity: 0.4, 'stroke-width': 1 + random() * 2.2 },
    });
  }).join('');
}

/** Many small curls that lie close to the head. */
function curled({ name, hair, face }: Person): string {
  const random = randomNumbers(name.length * 17 + 3);
  return Array.from({ length: 420 }, () => {
    const [x, y] = [(random() * 2 - 1) * face.temple * 1.1, CROWN - 22 + random() * 150];
    const r = 2.5 + random() * 3;
    return element('path', {
      d: `M${(x - r).toFixed(1)} ${y.toFixed(1)}a${r.toFixed(1)} ${r.toFixed(1)} 0 0 1 ${(r * 2).toFixed(1)} 0`,
      ...{ fill: 'none', stroke: lighter(hair.colour, 0.22), opacity: 0.45, 'stroke-width': 1.3 },
    });
  }).join('');
}

/** Hair throws a soft shadow on the face below it. */
function shadowOnFace(d: string, id: string): string {
  const shadow = element('path', {
    d,
    ...{ fill: '#2a120c', opacity: 0.45, filter: 'url(#blur4)', transform: 'translate(0 7)' },
  });
  return element('g', { 'clip-path': `url(#${id}-head)` }, shadow);
}

function curls({ person, pose, id }: Sitter, layer: 'back' | 'front'): string {
  const { colour } = person.hair;
  const { temple } = person.face;
  const random = randomNumbers(layer === 'back' ? 5 : 9);
  const count = layer === 'back' ? 60 : 44;
  const balls = Array.from({ length: count }, (_, i) => {
    // The back reaches from ear to ear around the crown, the front along the hairline.
    const angle =
      Math.PI * (layer === 'back' ? -0.12 + 1.24 * random() : 0.07 + (0.86 * i) / count);
    const out = layer === 'back' ? 0.95 + random() * 0.42 : 0.98 + random() * 0.3;
    return {
      cx: Math.cos(angle) * temple * out * 1.02 - pose.yaw * (layer === 'back' ? 0.5 : -0.2),
      cy: -18 - Math.sin(angle) * 104 * out,
      r: 17 + random() * 13,
      tone: random(),
    };
  });
  const shadow =
    layer === 'front'
      ? balls.map(({ cx, cy, r }) => element('circle', { cx, cy: cy + 8, r, fill: '#2a120c' }))
      : [];
  const drawn = balls.map(({ cx, cy, r, tone }) => {
    const fill =
      tone < 0.6 ? darker(colour, 0.1 + tone * 0.5) : lighter(colour, (tone - 0.6) * 0.35);
    const ring = { fill: 'none', stroke: lighter(colour, 0.25), opacity: 0.3, 'stroke-width': 2 };
    return (
      element('circle', { cx, cy, r, fill }) +
      element('path', {
        d: `M${cx - r * 0.6} ${cy}a${r * 0.6} ${r * 0.6} 0 0 1 ${r * 1.1} ${-r * 0.1}`,
        ...ring,
      })
    );
  });
  const soft = element('g', { opacity: 0.4, filter: 'url(#blur4)' }, shadow.join(''));
  return (
    (layer === 'front' ? element('g', { 'clip-path': `url(#${id}-head)` }, soft) : '') +
    drawn.join('')
  );
}

/** What is left around a bald head. */
function sides(sitter: Sitter): string {
  const { person, pose } = sitter;
  const { temple } = person.face;
  return [-1, 1]
    .map((side) => {
      const shape: Point[] = [
        [side * temple * 0.9, -66],
        [side * temple * 1.03, -58],
        [side * temple * 1.08, -20],
        [side * temple * 1.0, 4],
        [side * temple * 0.93, -20],
        [side * temple * 0.86, -44],
      ];
      return element('path', {
        d: smooth(shape.map(([x, y]): Point => [x - pose.yaw * 0.1, y])),
        ...{ fill: person.hair.colour, opacity: 0.92, filter: 'url(#blur2)' },
      });
    })
    .join('');
}
