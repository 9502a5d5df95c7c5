/**
 * Runs one operation against an external service. While the service is known to be down, the guard
 * throws at once instead of running it. The operation's signal aborts with the caller's, and when the
 * service is found to hang.
 *
 * @throws the operation's errors; the error that the guard was made with while the service is down;
 *   the caller's reason on abort
 */
export type Guard = <T>(
  operation: (signal: AbortSignal) => Promise<T>,
  signal?: AbortSignal,
) => Promise<T>;

/**
 * Makes sure that an external service answers, before work that needs it. Returns at once if the service answered
 * within the last 300 ms, and throws at once while it is known to be down; otherwise waits for an answer to a ping or
 * to any other request.
 *
 * @throws the error of the service's guard if the service is down; the caller's reason on abort
 */
export type RequireAnswer = (signal?: AbortSignal) => Promise<void>;
