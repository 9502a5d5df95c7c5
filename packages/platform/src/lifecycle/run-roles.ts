import { once } from 'node:events';
import { isStop } from './is-stop.ts';
import type { Role } from './role.ts';

/**
 * Starts roles in order, waits for the signal to stop, and stops them in reverse order. If one does
 * not start, it and those before it are stopped and its error is thrown. A stop during the start is
 * no error.
 */
export async function runRoles(roles: readonly Role[], stop: AbortSignal): Promise<void> {
  await using started = new AsyncDisposableStack();
  try {
    for (const role of roles) {
      stop.throwIfAborted();
      started.use(role);
      await role.start(stop);
    }
  } catch (error) {
    if (isStop(error, stop)) return;
    throw error;
  }
  if (!stop.aborted) await once(stop, 'abort');
}
