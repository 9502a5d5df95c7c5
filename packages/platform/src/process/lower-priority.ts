import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';

/**
 * Lets other threads run before the calling one, so that work in the background does not delay requests. Only Linux has
 * priorities of threads; elsewhere this does nothing.
 */
export function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    const thread = Number(basename(readlinkSync('/proc/thread-self')));
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A sandbox may hide threads or refuse priorities. The work is the same without.
  }
}
