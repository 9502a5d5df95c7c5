/**
 * Shares the results of some work among its callers. The work never runs twice at the same time, and starts at most
 * once per `everyMs`. Failures are not cached.
 *
 * @param now a monotonic clock, in ms
 */
export function shareRecent<T>(
  work: () => Promise<T>,
  everyMs: number,
  now: () => number = () => performance.now(),
): () => Promise<T> {
  let recent: Promise<T> | null = null;
  let isRunning = false;
  let startedAt = 0;
  const start = async (): Promise<T> => {
    isRunning = true;
    startedAt = now();
    try {
      return await work();
    } catch (error) {
      recent = null;
      throw error;
    } finally {
      isRunning = false;
    }
  };
  return () => {
    if (recent === null || (!isRunning && now() - startedAt >= everyMs)) recent = start();
    return recent;
  };
}
