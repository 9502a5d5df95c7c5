import { darker, lighter, mix } from './colour.ts';
import { blob, element, mirrored, type Point, smooth } from './shape.ts';
import type { Sitter } from './sitter.ts';

/** How far above the eyes the skull ends. */
export const CROWN = -132;

/** The outline of the head without hair, clockwise from the crown. */
export function headOutline({ person }: Sitter): Point[] {
  const { temple, cheek, jaw, chin, length } = person.face;
  return mirrored([
    [0, CROWN],
    [temple * 0.62, CROWN + 14],
    [temple * 0.94, -82],
    [temple, -28],
    [cheek, 32],
    [jaw, length * 0.62],
    [chin, length * 0.92],
    [0, length],
  ]);
}

/** Neck, ears and the face itself with its light and shade, without features. */
export function face(sitter: Sitter): string {
  const covered = ['long', 'bob'].includes(sitter.person.hair.style);
  const ears = covered ? '' : ear(sitter, -1) + ear(sitter, 1);
  return neck(sitter) + ears + skull(sitter);
}

function neck({ person: { skin, face } }: Sitter): string {
  const width = face.jaw * 0.68;
  const shape: Point[] = mirrored([
    [0, face.length * 0.5],
    [width, face.length * 0.55],
    [width * 0.96, face.length + 34],
    [width * 1.4, face.length + 80],
    [width * 1.3, face.length + 140],
    [0, face.length + 170],
  ]);
  const shadow: Point[] = mirrored([
    [0, face.length * 0.7],
    [width * 1.05, face.length * 0.6],
    [width * 0.9, face.length + 18],
    [0, face.length + 44],
  ]);
  return (
    element('path', { d: smooth(shape), fill: darker(skin, 0.12) }) +
    element('path', {
      d: smooth(shadow),
      fill: darker(skin, 0.6),
      opacity: 0.6,
      filter: 'url(#blur10)',
    })
  );
}

function ear({ person: { skin, face }, pose }: Sitter, side: -1 | 1): string {
  // The ear on the side to which the head turns goes behind the cheek.
  const x = side * (face.temple + 2) - pose.yaw * 0.55;
  const outline: Point[] = [
    [x - side * 8, -22],
    [x + side * 7, -30],
    [x + side * 15, -14],
    [x + side * 11, 12],
    [x + side * 4, 34],
    [x - side * 8, 32],
  ];
  const fold: Point[] = [
    [x - side * 1, -16],
    [x + side * 8, -16],
    [x + side * 5, 6],
    [x + side * 1, 20],
  ];
  return (
    element('path', { d: smooth(outline), fill: darker(skin, 0.1) }) +
    element('path', {
      d: smooth(fold, false),
      ...{ fill: 'none', stroke: darker(skin, 0.45), opacity: 0.6 },
      ...{ 'stroke-width': 3.5, filter: 'url(#blur2)' },
    })
  );
}

function skull(sitter: Sitter): string {
  const { person, id } = sitter;
  const outline = smooth(headOutline(sitter));
  const shades = [lights(sitter), sockets(sitter), cheeks(sitter), age(sitter)].join('');
  return (
    element('clipPath', { id: `${id}-head` }, element('path', { d: outline })) +
    element('path', { d: outline, fill: person.skin }) +
    element('g', { 'clip-path': `url(#${id}-head)` }, shades)
  );
}

/** The light from one side, and the dark edge that makes the head round. */
function lights(sitter: Sitter): string {
  const { person, pose, at } = sitter;
  const { skin, face } = person;
  const [forehead, cheekLight] = [at(pose.light * 34, -70), at(pose.light * 50, 38)];
  const edge = smooth(headOutline(sitter));
  const far = -pose.light * face.cheek;
  return [
    element('path', {
      d: edge,
      ...{ fill: 'none', stroke: darker(skin, 0.5), opacity: 0.62 },
      ...{ 'stroke-width': 34, filter: 'url(#blur14)' },
    }),
    blob([far * 1.08, 34], [46 + Math.abs(pose.light) * 22, 130], {
      colour: darker(skin, 0.6),
      opacity: 0.4,
    }),
    blob(forehead, [60, 38], { colour: lighter(skin, 0.55), opacity: 0.55 }),
    blob(cheekLight, [26, 24], { colour: lighter(skin, 0.6), opacity: 0.5 }),
    blob(at(pose.light * 6, face.length - 20), [20, 13], {
      colour: lighter(skin, 0.5),
      opacity: 0.4,
    }),
    blob(at(0, -CROWN * -1 + 6), [90, 26], { colour: darker(skin, 0.5), opacity: 0.35 }),
  ].join('');
}

/** The hollows of the eyes and the sides of the bridge. */
function sockets({ person: { skin, eyes, nose }, at }: Sitter): string {
  return [-1, 1]
    .map((side) =>
      [
        blob(at(side * eyes.apart, -13), [34, 16], { colour: darker(skin, 0.42), opacity: 0.42 }),
        blob(at(side * eyes.apart * 0.46, 2), [9, 17], {
          colour: darker(skin, 0.5),
          opacity: 0.4 * nose.bridge,
        }),
        blob(at(side * eyes.apart, 19), [22, 6], { colour: darker(skin, 0.45), opacity: 0.28 }),
      ].join(''),
    )
    .join('');
}

function cheeks({ person: { skin, face, mouth }, pose, at }: Sitter): string {
  const blush = mix(skin, '#d0503c', 0.45);
  return [-1, 1]
    .map((side) =>
      [
        blob(at(side * face.cheek * 0.62, 44), [30, 20], {
          colour: blush,
          opacity: 0.3 + pose.smile * 0.12,
        }),
        blob(at(side * face.jaw * 0.8, mouth.below - 12), [16, 34], {
          colour: darker(skin, 0.5),
          opacity: 0.3,
        }),
      ].join(''),
    )
    .join('');
}

/** Folds from the nose to the mouth (smiling makes them too), under the eyes, on the forehead. */
function age({ person: { skin, nose, mouth, eyes, lines }, pose, all }: Sitter): string {
  const tone = darker(skin, 0.55);
  const stroke = (points: readonly Point[], opacity: number) =>
    element('path', {
      d: smooth(all(points), false),
      ...{ fill: 'none', stroke: tone, opacity, 'stroke-linecap': 'round', 'stroke-width': 3 },
    });
  const folds = [-1, 1].flatMap((side): string[] => [
    stroke(
      [
        [side * (nose.width + 5), nose.length - 4],
        [side * (mouth.width * 0.82 + 10), (nose.length + mouth.below) / 2],
        [side * (mouth.width + 11), mouth.below + 3],
      ],
      Math.min(0.75, 0.2 + lines * 0.5 + pose.smile * 0.3),
    ),
    stroke(
      [
        [side * (eyes.apart - 17), 19],
        [side * eyes.apart, 24],
        [side * (eyes.apart + 18), 16],
      ],
      0.18 + lines * 0.5,
    ),
  ]);
  const forehead = [-88, -74, -61].map((y) =>
    stroke(
      [
        [-46, y + 3],
        [-16, y - 2],
        [16, y],
        [46, y + 2],
      ],
      lines * 0.5,
    ),
  );
  const drawn = [...folds, ...(lines > 0.3 ? forehead : [])].join('');
  return element('g', { filter: 'url(#blur2)' }, drawn);
}
