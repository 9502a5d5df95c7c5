import { type BoundingBox, intersectionOverUnion } from '@sightline/core/analysis/geometry';

interface Boxed {
  readonly bbox: BoundingBox;
}

export interface BoxMatches<Found, Expected> {
  readonly pairs: readonly {
    readonly found: Found;
    readonly expected: Expected;
    /** The intersection over union, 0..1. */
    readonly overlap: number;
  }[];
  readonly missed: readonly Expected[];
  readonly extra: readonly Found[];
}

interface Rule<Found, Expected> {
  /** The least intersection over union of a pair, 0..1. */
  readonly least: number;
  /** Whether two boxes may be a pair; by default any two may. */
  readonly alike?: (found: Found, expected: Expected) => boolean;
}

export function matchBoxes<Found extends Boxed, Expected extends Boxed>(
  found: readonly Found[],
  expected: readonly Expected[],
  { least, alike = () => true }: Rule<Found, Expected>,
): BoxMatches<Found, Expected> {
  const candidates = found
    .flatMap((one) =>
      expected
        .filter((other) => alike(one, other))
        .map((other) => ({
          found: one,
          expected: other,
          overlap: intersectionOverUnion(one.bbox, other.bbox),
        })),
    )
    .filter(({ overlap }) => overlap >= least)
    .sort((a, b) => b.overlap - a.overlap);
  const missed = new Set(expected);
  const extra = new Set(found);
  const pairs = candidates.filter((pair) => {
    const free = extra.has(pair.found) && missed.has(pair.expected);
    if (free) {
      extra.delete(pair.found);
      missed.delete(pair.expected);
    }
    return free;
  });
  return { pairs, missed: [...missed], extra: [...extra] };
}
