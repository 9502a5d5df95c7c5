/** x to the right, y down, in the units of the drawing. */
export type Point = readonly [x: number, y: number];

export type Attributes = Readonly<Record<string, string | number>>;

/** An SVG element; attributes are given as SVG names them. */
export function element(name: string, attributes: Attributes, content = ''): string {
  const written = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? short(value) : value}"`)
    .join('');
  return content === '' ? `<${name}${written}/>` : `<${name}${written}>${content}</${name}>`;
}

/** A soft spot: full in the middle, nothing at 1.6 times the radii. */
export function blob(
  [cx, cy]: Point,
  [rx, ry]: readonly [number, number],
  { colour, opacity }: { readonly colour: string; readonly opacity: number },
): string {
  const id = `soft${colour.slice(1)}`;
  const stops = [
    [0, 1],
    [0.35, 0.82],
    [0.7, 0.28],
    [1, 0],
  ].map(([offset, share]) =>
    element('stop', { offset: offset!, 'stop-color': colour, 'stop-opacity': share! }),
  );
  return (
    element('radialGradient', { id }, stops.join('')) +
    element('ellipse', { cx, cy, rx: rx * 1.6, ry: ry * 1.6, fill: `url(#${id})`, opacity })
  );
}

/** The data of a path through all the points, as a Catmull-Rom spline; closed, or open. */
export function smooth(points: readonly Point[], closed = true): string {
  const last = points.length - 1;
  const at = (i: number): Point => {
    if (closed) return points[(i + points.length) % points.length]!;
    return points[Math.min(Math.max(i, 0), last)]!;
  };
  const curves = Array.from({ length: closed ? points.length : last }, (_, i) => {
    const [before, from, to, after] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    const leaving: Point = [from[0] + (to[0] - before[0]) / 6, from[1] + (to[1] - before[1]) / 6];
    const arriving: Point = [to[0] - (after[0] - from[0]) / 6, to[1] - (after[1] - from[1]) / 6];
    return `C${[leaving, arriving, to].map(pair).join(' ')}`;
  });
  return `M${pair(points[0]!)}${curves.join('')}${closed ? 'Z' : ''}`;
}

/** The points of the right half (x >= 0, from top to bottom) and their mirror images, clockwise. */
export function mirrored(right: readonly Point[]): Point[] {
  const left = right.filter(([x]) => x !== 0).map(([x, y]): Point => [-x, y]);
  return [...right, ...left.reverse()];
}

/** Points turned clockwise around a centre by so many degrees. */
export function turned(points: readonly Point[], [cx, cy]: Point, degrees: number): Point[] {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return points.map(([x, y]) => [
    cx + (x - cx) * cos - (y - cy) * sin,
    cy + (x - cx) * sin + (y - cy) * cos,
  ]);
}

function pair([x, y]: Point): string {
  return `${short(x)} ${short(y)}`;
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}
