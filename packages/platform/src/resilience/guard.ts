/**
 * Runs one operation against an external service. While the service is known to be down, the guard throws at once
 * instead of running the operation. The operation's signal aborts when the caller's signal aborts or when the service
 * hangs.
 *
 * @throws the operation's errors; the guard's own error while the service is down; the caller's reason on abort
 */
export type Guard = <T>(
  operation: (signal: AbortSignal) => Promise<T>,
  signal?: AbortSignal,
) => Promise<T>;

/**
 * Checks that an external service answers, before work that needs the service. Returns at once if the service answered
 * within the last 300 ms, and throws at once while the service is known to be down. Otherwise waits for the answer to a
 * ping or to any other request.
 *
 * @throws the error of the service's guard if the service is down; the caller's reason on abort
 */
export type RequireAnswer = (signal?: AbortSignal) => Promise<void>;
