import { totalmem } from 'node:os';

/**
 * The memory in bytes that this process may use: the limit of its container (cgroup), else the memory of the machine.
 */
export function usableMemory(): number {
  const limit = process.constrainedMemory();
  // Node reports 0 if the process has no limit or the limit is unknown. A limit above the machine's memory has no
  // effect.
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
