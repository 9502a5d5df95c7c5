import { element } from '../drawing/shape.ts';
import { characters } from '../terminal/characters.ts';
import type { Box, Finding } from './finding.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

const COLOURS: Readonly<Record<Finding['kind'], string>> = {
  known: '#14a052',
  unknown: '#e8590c',
  object: '#1c6fd4',
};

const FONT = {
  'font-family': 'DejaVu Sans, Liberation Sans, Segoe UI, Helvetica, Arial, sans-serif',
  'font-weight': 'bold',
};

/** Width of a character of that font as a share of its size, and what stays free beside a text. */
const CHARACTER = 0.7;
const MARGIN = 0.4;

interface Label {
  readonly text: string;
  readonly colour: string;
  readonly size: number;
  readonly box: Box;
}

/**
 * Boxes with their texts, as an SVG document to be laid over a picture of that size. A text stands
 * at its box where it covers none of the texts before it; those of faces come first.
 *
 * @param size of the texts, in pixels
 */
export function overlay(
  found: readonly Finding[],
  picture: Size,
  size = Math.max(11, Math.round(Math.max(picture.width, picture.height) / 70)),
): string {
  const labels: Label[] = [];
  const facesFirst = [...found].sort((a, b) => rank(a) - rank(b));
  for (const finding of facesFirst) labels.push(label(finding, size, { picture, labels }));
  const boxes = found.map((finding) => outline(finding, size));
  const drawn = [...boxes, ...labels.reverse().map(written)].join('');
  const { width, height } = picture;
  return element(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width, height },
    element('g', FONT, drawn),
  );
}

function rank({ kind }: Finding): number {
  return kind === 'object' ? 1 : 0;
}

function outline({ kind, box }: Finding, size: number): string {
  return element('rect', {
    ...{ x: box.x, y: box.y, width: box.w, height: box.h, rx: size / 4 },
    ...{ fill: 'none', stroke: COLOURS[kind] },
    'stroke-width': size / (kind === 'object' ? 8 : 5),
  });
}

interface Surroundings {
  readonly picture: Size;
  /** Labels that have their place. */
  readonly labels: readonly Label[];
}

function label({ kind, box, text }: Finding, fontSize: number, around: Surroundings): Label {
  const size = kind === 'object' ? fontSize * 0.8 : fontSize;
  const w = (characters(text).length * CHARACTER + 2 * MARGIN) * size;
  const h = size * 1.5;
  const { width, height } = around.picture;
  const [right, bottom] = [box.x + box.w - w, box.y + box.h];
  // Above a face, so that it stays to be seen; inside an object.
  const above = { x: box.x, y: box.y - h };
  const inside = [
    ...[bottom - h, box.y].flatMap((y) => [
      { x: box.x, y },
      { x: right, y },
    ]),
  ];
  const below = { x: box.x, y: bottom };
  const wanted = kind === 'object' ? [...inside, below, above] : [above, below, ...inside];
  // Inside the picture, as far as it is large enough for the text.
  const places = wanted.map(({ x, y }) => ({
    x: Math.max(0, Math.min(x, width - w)),
    y: Math.max(0, Math.min(y, height - h)),
    ...{ w, h },
  }));
  const free = places.find((place) => !around.labels.some((other) => overlap(place, other.box)));
  return { text, size, colour: COLOURS[kind], box: free ?? places[0]! };
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

function written({ text, colour, size, box: { x, y, w, h } }: Label): string {
  return (
    element('rect', { x, y, width: w, height: h, rx: size / 5, fill: colour, opacity: 0.94 }) +
    element(
      'text',
      { x: x + size * MARGIN, y: y + size * 1.1, 'font-size': size, fill: '#ffffff' },
      escaped(text),
    )
  );
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
