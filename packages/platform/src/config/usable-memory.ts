import { totalmem } from 'node:os';

/**
 * Bytes of memory that this process may use: the limit of its container (cgroup), else the memory of
 * the machine.
 */
export function usableMemory(): number {
  const limit = process.constrainedMemory();
  // 0: there is no limit, or it is unknown; a limit above the machine's memory is none.
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
