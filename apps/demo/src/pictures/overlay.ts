import type { Box, Finding } from './finding.ts';
import { svgElement } from './svg-element.ts';
import { type Writing, write } from './writing.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

const COLORS: Readonly<Record<Finding['kind'], string>> = {
  known: '#14a052',
  unknown: '#e8590c',
  object: '#1c6fd4',
};

/** The free space on either side of a text, as a fraction of the font size. */
const MARGIN = 0.4;

interface Label {
  readonly writing: Writing;
  readonly color: string;
  readonly fontSize: number;
  readonly box: Box;
}

/**
 * Draws boxes and texts as an SVG document with the size of the picture. Each text is placed at its box, so that it
 * does not cover an earlier text. The texts of faces are placed before the texts of objects.
 *
 * @param fontSize the font size for faces, in pixels; the font for objects is smaller. By default the font size
 *   grows with the picture, so that texts are readable and leave most of the picture free.
 */
export async function overlay(
  found: readonly Finding[],
  picture: Size,
  fontSize = Math.max(11, Math.round(Math.max(picture.width, picture.height) / 70)),
): Promise<string> {
  const facesFirst = [...found].sort((a, b) => rank(a) - rank(b));
  const labels: Label[] = [];
  for (const finding of facesFirst) {
    const size = finding.kind === 'object' ? fontSize * 0.8 : fontSize;
    const writing = await write(finding.text, size);
    const background = { width: writing.width + 2 * MARGIN * size, height: size * 1.5 };
    const boxes = labelBoxes(finding, background, picture);
    const free = boxes.find((candidate) => !labels.some(({ box }) => overlap(candidate, box)));
    labels.push({ writing, color: COLORS[finding.kind], fontSize: size, box: free ?? boxes[0]! });
  }
  const boxes = found.map((finding) => outline(finding, fontSize));
  const { width, height } = picture;
  return svgElement(
    'svg',
    { xmlns: 'http://www.w3.org/2000/svg', width, height },
    [...boxes, ...labels.reverse().map(drawn)].join(''),
  );
}

function rank({ kind }: Finding): number {
  return kind === 'object' ? 1 : 0;
}

/** The possible positions of a label, best first. A label that fits into the picture lies inside the picture. */
function labelBoxes({ kind, box }: Finding, { width: w, height: h }: Size, picture: Size): Box[] {
  const [right, bottom] = [box.x + box.w - w, box.y + box.h];
  const above = { x: box.x, y: box.y - h };
  const below = { x: box.x, y: bottom };
  const inside = [
    { x: box.x, y: bottom - h },
    { x: right, y: bottom - h },
    { x: box.x, y: box.y },
    { x: right, y: box.y },
  ];
  // A label inside the box would cover a face, but objects are usually large enough for a label.
  const candidates = kind === 'object' ? [...inside, below, above] : [above, below, ...inside];
  return candidates.map(({ x, y }) => ({
    x: Math.max(0, Math.min(x, picture.width - w)),
    y: Math.max(0, Math.min(y, picture.height - h)),
    w,
    h,
  }));
}

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

function outline({ kind, box }: Finding, fontSize: number): string {
  return svgElement('rect', {
    x: box.x,
    y: box.y,
    width: box.w,
    height: box.h,
    rx: fontSize / 4,
    fill: 'none',
    stroke: COLORS[kind],
    'stroke-width': fontSize / (kind === 'object' ? 8 : 5),
  });
}

function drawn({ writing, color, fontSize, box: { x, y, w, h } }: Label): string {
  const { png, width, height } = writing;
  const rx = fontSize / 5;
  return (
    svgElement('rect', { x, y, width: w, height: h, rx, fill: color, opacity: 0.94 }) +
    svgElement('image', {
      x: x + fontSize * MARGIN,
      y: y + (h - height) / 2,
      width,
      height,
      href: `data:image/png;base64,${png.toString('base64')}`,
    })
  );
}
