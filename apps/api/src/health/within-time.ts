import { orAbort } from '@sightline/platform/resilience/or-abort';

/** The timeout of each check, in ms. Health is requested often and has to answer soon, even if a dependency hangs. */
const CHECK_TIMEOUT_MS = 2_000;

/** Returns null if the work fails, or does not settle in time. Work that ignores its signal does not block this. */
export async function withinTime<T>(
  work: (signal: AbortSignal) => Promise<T>,
  onFailure?: (error: unknown) => void,
): Promise<T | null> {
  const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
  try {
    return await orAbort(work(signal), signal);
  } catch (error) {
    onFailure?.(error);
    return null;
  }
}
