/**
 * Runs one operation against a service outside of this process. While the service is known not to
 * answer, it is not asked: the guard throws at once what its owner wants callers to see. The signal
 * that the operation gets is aborted on the caller's abort, and when the service is found to hang.
 *
 * @throws what the operation throws; the caller's reason on abort
 */
export type Guard = <T>(
  operation: (signal: AbortSignal) => Promise<T>,
  signal?: AbortSignal,
) => Promise<T>;

/**
 * Throws at once what the guard of a service throws while that is known not to answer, and returns at
 * once if it answered a moment ago; else it waits until the service has answered, or is found not to.
 *
 * @throws what the guard's owner wants callers to see; the caller's reason on abort
 */
export type RequireAnswer = (signal?: AbortSignal) => Promise<void>;
