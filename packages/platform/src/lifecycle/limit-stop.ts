/**
 * Limits the time that the stop of a process may take: whatever hangs, its supervisor would kill it later
 * without a word.
 *
 * @param stop aborts when the stop begins
 * @param onTimeout called if the process still runs after that time, in ms
 */
export function limitStop(stop: AbortSignal, limitMs: number, onTimeout: () => void): void {
  const begin = (): void => void setTimeout(onTimeout, limitMs).unref();
  stop.addEventListener('abort', begin, { once: true });
}
