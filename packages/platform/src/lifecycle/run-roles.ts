import { once } from 'node:events';
import { isStop } from './is-stop.ts';
import type { Role } from './role.ts';

/**
 * Starts roles in order, waits for the stop signal, and stops the roles in reverse order. If a role fails to start,
 * this role and all earlier roles are stopped, and the error is thrown. A stop during the start is not an error.
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
