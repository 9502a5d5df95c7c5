/**
 * Orders paths from specific to general, so that the first path that matches a request is the most specific one. In the
 * same position, a fixed segment comes before a segment with a parameter. A path comes before longer paths that start
 * with it.
 */
export function comparePaths(a: string, b: string): number {
  const [first, second] = [a.split('/').map(parameterShare), b.split('/').map(parameterShare)];
  const index = first.findIndex((share, i) => share !== second[i]);
  if (index === -1) return first.length - second.length;
  return first[index]! - (second[index] ?? -1);
}

/** Returns 0 for a fixed segment, 1 if a part of the segment is a parameter, and 2 if the whole segment is one. */
function parameterShare(segment: string): 0 | 1 | 2 {
  if (!segment.includes('{')) return 0;
  return /^\{\w+\}$/.test(segment) ? 2 : 1;
}
