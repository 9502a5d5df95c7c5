/**
 * Compares two releases; negative if `a` is older. A release candidate equals its release, because both have the same
 * schema.
 */
export function compareReleases(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  const at = left.findIndex((number, index) => number !== right[index]);
  return at === -1 ? 0 : left[at]! - right[at]!;
}

function numbersOf(release: string): readonly number[] {
  const [, ...numbers] = /^(\d+)\.(\d+)\.(\d+)(?:[-+]|$)/.exec(release) ?? [];
  if (numbers.length === 0) throw new RangeError(`${release} is not the version of a release.`);
  return numbers.map(Number);
}
