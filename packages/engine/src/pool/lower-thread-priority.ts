import { constants, getPriority, setPriority } from 'node:os';

/**
 * Lowers the priority of the calling thread below that of the main thread, so that the main thread
 * receives requests and responds at once while every core computes. The function has no effect on
 * systems other than Linux, where a priority applies to the whole process.
 */
export function lowerThreadPriority(): void {
  if (process.platform !== 'linux') return;
  const callingThread = 0;
  // If the process was started with a lower priority, that priority is kept, because only root may
  // raise it.
  const priority = Math.max(getPriority(callingThread), constants.priority.PRIORITY_BELOW_NORMAL);
  setPriority(callingThread, priority);
}
