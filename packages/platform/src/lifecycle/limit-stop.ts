/**
 * Limits the time that the stop of a process may take. Otherwise its supervisor would later kill a hanging process, and
 * no log would name the cause.
 *
 * @param stop aborts when the stop begins
 * @param onTimeout called if the process still runs after that time, in ms
 */
export function limitStop(stop: AbortSignal, limitMs: number, onTimeout: () => void): void {
  const begin = (): void => void setTimeout(onTimeout, limitMs).unref();
  stop.addEventListener('abort', begin, { once: true });
}
