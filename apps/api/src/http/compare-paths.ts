/**
 * Orders paths so that the first one that matches a request is the most specific one: a fixed segment comes before one
 * with a parameter in the same position, and a path before those that continue it. All paths have to be sorted
 * together.
 */
export function comparePaths(a: string, b: string): number {
  const [first, second] = [a.split('/').map(parameterShare), b.split('/').map(parameterShare)];
  const index = first.findIndex((share, i) => share !== second[i]);
  if (index === -1) return first.length - second.length;
  return first[index]! - (second[index] ?? -1);
}

/** 0: the segment is fixed; 1: a part of it is a parameter; 2: all of it is. */
function parameterShare(segment: string): 0 | 1 | 2 {
  if (!segment.includes('{')) return 0;
  return /^\{\w+\}$/.test(segment) ? 2 : 1;
}
