/**
 * Limits the time for the stop of a process. Without the limit, Kubernetes or another supervisor would kill a hanging
 * process, and no log would name the cause.
 *
 * @param stop aborts when the stop begins
 * @param limitMs the time in ms, counted from the beginning of the stop
 * @param onTimeout called if the process still runs after `limitMs`
 */
export function limitStop(stop: AbortSignal, limitMs: number, onTimeout: () => void): void {
  const begin = (): void => void setTimeout(onTimeout, limitMs).unref();
  stop.addEventListener('abort', begin, { once: true });
}
