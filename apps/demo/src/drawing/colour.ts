/** A colour as `#rrggbb`. */
export type Colour = `#${string}`;

/** The colour at `share` (0..1) of the way from one to another, per channel. */
export function mix(from: Colour, to: Colour, share: number): Colour {
  const [a, b] = [channels(from), channels(to)];
  const mixed = a.map((value, i) => Math.round(value + (b[i]! - value) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

export function darker(colour: Colour, share: number): Colour {
  return mix(colour, '#140a08', share);
}

export function lighter(colour: Colour, share: number): Colour {
  return mix(colour, '#fff6ea', share);
}

function channels(colour: Colour): readonly number[] {
  return [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16));
}
