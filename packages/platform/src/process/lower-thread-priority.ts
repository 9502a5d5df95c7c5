import { constants, getPriority, setPriority } from 'node:os';

/**
 * Lowers the priority of the calling thread below that of the main thread, so that the main thread receives requests and
 * responds at once while every core computes. Only Linux has priorities of threads; elsewhere this does nothing.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  const callingThread = 0;
  try {
    // If the process was started with a lower priority, that priority is kept.
    const priority = Math.max(getPriority(callingThread), constants.priority.PRIORITY_BELOW_NORMAL);
    setPriority(callingThread, priority);
  } catch {
    // A sandbox may refuse priorities. The work is the same without.
  }
}
