import { constants, getPriority, setPriority } from 'node:os';

/**
 * Lets other threads go before the calling one where there are fewer cores than threads with work:
 * while every core computes, the main thread still receives and answers at once. On Linux alone;
 * elsewhere a priority belongs to the whole process.
 */
export function yieldToOtherThreads(): void {
  if (process.platform !== 'linux') return;
  const callingThread = 0;
  // A process that was started with less keeps that: only the administrator may raise a priority.
  const priority = Math.max(getPriority(callingThread), constants.priority.PRIORITY_BELOW_NORMAL);
  setPriority(callingThread, priority);
}
