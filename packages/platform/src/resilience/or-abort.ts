/**
 * Waits for a promise until the signal aborts. The abort does not stop the work behind the promise, but a later
 * result is ignored.
 *
 * @throws the promise's error; the signal's reason if the signal aborts or was aborted before the call
 */
export async function orAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work;
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = (): void => reject(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([aborted, work]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
