/**
 * Runs tasks concurrently. The first error is thrown at once, and aborts the other tasks.
 *
 * @param signal aborts all tasks
 * @returns the results in the order of the tasks
 */
export async function allOrAbort<T>(
  tasks: readonly ((signal: AbortSignal) => T | Promise<T>)[],
  signal?: AbortSignal,
): Promise<T[]> {
  const failed = new AbortController();
  const either = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
  try {
    return await Promise.all(tasks.map(async (task) => task(either)));
  } catch (error) {
    failed.abort(error);
    throw error;
  }
}
