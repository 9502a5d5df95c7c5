import type { BucketStart } from './paged-rows.ts';

export interface RailEntry {
  readonly index: number;
  readonly text: string;
}

/** The most entries, so that each is a target of at least 24 px on a low screen. */
const MOST = 18;

/**
 * The places to which the rail of a list leads: where the text of the buckets changes. Of too many, evenly distributed
 * ones stay.
 *
 * @param textOf the text of a bucket's first value, such as its year; null if it has none
 */
export function railEntries(
  starts: readonly BucketStart[],
  textOf: (first: BucketStart['first']) => string | null,
): RailEntry[] {
  const entries: RailEntry[] = [];
  for (const { index, first } of starts) {
    const text = textOf(first);
    if (text !== null && text !== entries.at(-1)?.text) entries.push({ index, text });
  }
  if (entries.length < 2) return [];
  const step = Math.max(1, entries.length / MOST);
  const kept = Math.min(entries.length, MOST);
  return Array.from({ length: kept }, (_, at) => entries[Math.floor(at * step)]!);
}
