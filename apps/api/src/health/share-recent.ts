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
  let begun = 0;
  const begin = async (): Promise<T> => {
    isRunning = true;
    begun = now();
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
    if (recent === null || (!isRunning && now() - begun >= everyMs)) recent = begin();
    return recent;
  };
}
