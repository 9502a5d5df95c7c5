import { WireVersionMismatch } from './wire-errors.ts';

/**
 * The versions that a process of this release speaks, oldest first: that of its own release and the
 * one before. A change that an older or newer process would misunderstand adds a version and drops
 * the oldest of two. So far there is only one version.
 */
export const WIRE_VERSIONS: readonly number[] = [1];

/** The newest version that both sides speak. @throws WireVersionMismatch if there is none */
export function commonVersion(spoken: readonly number[], theirs: readonly number[]): number {
  const common = spoken.filter((version) => theirs.includes(version));
  if (common.length === 0) throw new WireVersionMismatch(spoken, theirs);
  return Math.max(...common);
}
