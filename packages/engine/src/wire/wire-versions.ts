import { WireVersionMismatch } from './wire-errors.ts';

/**
 * The wire versions that a process of this release supports, oldest first: the version of its own release and the one
 * before it. A change that an older or newer process would misunderstand adds a version; if there are two already,
 * the older one is dropped. So far there is only one version.
 */
export const WIRE_VERSIONS: readonly number[] = [1];

/**
 * Returns the newest version that both sides support.
 *
 * @throws WireVersionMismatch if there is no such version
 */
export function commonVersion(spoken: readonly number[], theirs: readonly number[]): number {
  const common = spoken.filter((version) => theirs.includes(version));
  if (common.length === 0) throw new WireVersionMismatch(spoken, theirs);
  return Math.max(...common);
}
