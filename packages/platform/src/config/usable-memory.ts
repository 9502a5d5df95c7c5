import { totalmem } from 'node:os';

/**
 * Bytes of memory that this process may use: the limit of its container (cgroup), else the memory of
 * the machine.
 */
export function usableMemory(): number {
  const limit = process.constrainedMemory();
  // The value is 0 without a limit or if it is unknown; a limit above the machine's memory has no effect.
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
