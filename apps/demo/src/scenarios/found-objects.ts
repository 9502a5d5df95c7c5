import { formatScore } from '../pictures/finding.ts';

interface FoundObject {
  readonly class_name: string;
  readonly confidence: number;
}

/** Classes with how often they were found and the best score; the most sure first. */
export function objectRows(objects: readonly FoundObject[]): string[][] {
  const classes = Map.groupBy(objects, ({ class_name }) => class_name);
  return [...classes]
    .map(([name, found]) => {
      const scores = found.map(({ confidence }) => confidence);
      return { name, count: found.length, best: Math.max(...scores) };
    })
    .sort((a, b) => b.best - a.best)
    .map(({ name, count, best }) => [name, String(count), formatScore(best)]);
}
