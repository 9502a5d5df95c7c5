import { element } from '../drawing/shape.ts';
import type { Box, Finding } from './finding.ts';
import { type Writing, write } from './writing.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

const COLOURS: Readonly<Record<Finding['kind'], string>> = {
  known: '#14a052',
  unknown: '#e8590c',
  object: '#1c6fd4',
};

/** What stays free beside a text, as a share of its size. */
const MARGIN = 0.4;

/** A finding with its text in pixels. */
export interface WrittenFinding extends Finding {
  readonly writing: Writing;
}

/** The size of texts, in pixels, that can be read in a picture and leave room for it. */
export function textSize({ width, height }: Size): number {
  return Math.max(11, Math.round(Math.max(width, height) / 70));
}

/** @param size of the texts of faces; those of objects are smaller */
export function writeTexts(found: readonly Finding[], size: number): Promise<WrittenFinding[]> {
  return Promise.all(
    found.map(async (finding) => ({
      ...finding,
      writing: await write(finding.text, sizeFor(finding.kind, size)),
    })),
  );
}

interface Label {
  readonly writing: Writing;
  readonly colour: string;
  readonly size: number;
  readonly box: Box;
}

/**
 * Boxes with their texts, as an SVG document to be laid over a picture of that size. A text stands
 * at its box where it covers none of the texts before it; those of faces come first.
 *
 * @param size that the texts were written in, in pixels
 */
export function overlay(
  found: readonly WrittenFinding[],
  picture: Size,
  size = textSize(picture),
): string {
  const labels: Label[] = [];
  const facesFirst = [...found].sort((a, b) => rank(a) - rank(b));
  for (const finding of facesFirst) labels.push(label(finding, size, { picture, labels }));
  const boxes = found.map((finding) => outline(finding, size));
  const drawn = [...boxes, ...labels.reverse().map(written)].join('');
  const { width, height } = picture;
  return element('svg', { xmlns: 'http://www.w3.org/2000/svg', width, height }, drawn);
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

function sizeFor(kind: Finding['kind'], size: number): number {
  return kind === 'object' ? size * 0.8 : size;
}

function label(
  { kind, box, writing }: WrittenFinding,
  fontSize: number,
  around: Surroundings,
): Label {
  const size = sizeFor(kind, fontSize);
  const w = writing.width + 2 * MARGIN * size;
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
  return { writing, size, colour: COLOURS[kind], box: free ?? places[0]! };
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

function written({ writing, colour, size, box: { x, y, w, h } }: Label): string {
  const { png, width, height } = writing;
  return (
    element('rect', { x, y, width: w, height: h, rx: size / 5, fill: colour, opacity: 0.94 }) +
    element('image', {
      ...{ x: x + size * MARGIN, y: y + (h - height) / 2, width, height },
      href: `data:image/png;base64,${png.toString('base64')}`,
    })
  );
}
