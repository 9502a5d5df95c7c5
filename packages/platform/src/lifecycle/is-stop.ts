/**
 * Whether an error says no more than that the process is to stop: the reason of the signal, or the
 * AbortError that Node's functions make of it.
 */
export function isStop(error: unknown, stop: AbortSignal): boolean {
  if (!stop.aborted) return false;
  return error === stop.reason || (error instanceof Error && error.name === 'AbortError');
}
