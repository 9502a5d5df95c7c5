import { spawnSync } from 'node:child_process';
import { describe } from '@jest/globals';

/** An account without rights, for processes that root starts. */
export const NOBODY = { uid: 65_534, gid: 65_534 };

const isRoot = process.getuid?.() === 0;

/** Describes a suite that needs root. It is skipped for other users. */
export function describeAsRoot(name: string, body: () => void): void {
  if (isRoot) describe(name, body);
  else describe.skip(`${name} [skipped: needs root]`, body);
}

/**
 * Describes a suite in which root runs this clone's code as the user nobody. It is skipped if
 * that user cannot read the code.
 */
export function describeAsNobody(name: string, body: () => void): void {
  const canRun = isRoot && spawnSync(process.execPath, ['-e', ''], NOBODY).status === 0;
  if (canRun) describe(name, body);
  else describe.skip(`${name} [skipped: needs root, and a clone that all can read]`, body);
}
