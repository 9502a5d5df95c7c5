import { useFormats } from '../messages/locale-context.tsx';
import type { BucketStart } from './paged-rows.ts';

/**
 * Returns the texts of a rail. Lists by time have years, or months if all rows are of one year; lists by name have
 * letters, and those by a number have numbers.
 *
 * @param isByName whether texts are names and not times
 */
export function useRailText(
  buckets: readonly Pick<BucketStart, 'first'>[],
  isByName = false,
): (first: BucketStart['first']) => string | null {
  const formats = useFormats();
  const years = new Set(isByName ? [] : buckets.map(({ first }) => String(first).slice(0, 4)));
  return (first) => {
    if (first === null) return null;
    if (typeof first === 'number') return formats.number(first);
    if (isByName) return letterOf(first);
    return years.size > 1 ? first.slice(0, 4) : formats.month(first);
  };
}

function letterOf(name: string): string {
  return /^\p{L}/u.exec(name.toLocaleUpperCase())?.[0] ?? '#';
}
