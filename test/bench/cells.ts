import type { Spread } from './statistics.ts';

/** The median with its range: `0.95 (0.91 to 0.99)`. */
export function spreadCell({ median, least, greatest }: Spread, digits = 2): string {
  return `${median.toFixed(digits)} (${least.toFixed(digits)} to ${greatest.toFixed(digits)})`;
}

/** The median with its quartiles, in milliseconds. */
export function quartilesCell(values: {
  readonly lower: number;
  readonly median: number;
  readonly upper: number;
}): string {
  const [lower, median, upper] = [values.lower, values.median, values.upper];
  return spreadCell({ median, least: lower, greatest: upper }, 1);
}

export function pairCell(a: number, b: number, digits = 1): string {
  return `${a.toFixed(digits)} / ${b.toFixed(digits)}`;
}

export function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}

export function mebibytes(bytes: number): string {
  return (bytes / 1024 ** 2).toFixed(0);
}

/** A count with separators: `10,000`. */
export function grouped(count: number): string {
  return count.toLocaleString('en');
}
