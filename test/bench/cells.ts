import { median, percentile } from './statistics.ts';

/** The median with the least and the greatest value: `0.95 (0.91 to 0.99)`. */
export function spreadCell(values: readonly number[], digits = 2): string {
  return cell([median(values), Math.min(...values), Math.max(...values)], digits);
}

/** The median with the quartiles. */
export function quartilesCell(values: readonly number[]): string {
  return cell([median(values), percentile(values, 0.25), percentile(values, 0.75)], 1);
}

function cell(values: readonly number[], digits: number): string {
  const [middle, from, to] = values.map((value) => value.toFixed(digits));
  return `${middle} (${from} to ${to})`;
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
