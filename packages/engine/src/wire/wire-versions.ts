import { WireVersionMismatch } from './wire-errors.ts';

/**
 * What a process of this release speaks, oldest first: the version of its own release and the one before that. A change
 * that an older or newer process would misunderstand adds a version and drops the one before the last. There is one
 * so far.
 */
export const WIRE_VERSIONS: readonly number[] = [1];

/** The newest version that both speak. @throws WireVersionMismatch if there is none */
export function commonVersion(spoken: readonly number[], theirs: readonly number[]): number {
  const common = spoken.filter((version) => theirs.includes(version));
  if (common.length === 0) throw new WireVersionMismatch(spoken, theirs);
  return Math.max(...common);
}
