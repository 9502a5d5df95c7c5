/**
 * Whether an error only means that the process stops: the reason of the signal, or the AbortError that
 * Node's functions throw instead of it.
 */
export function isStop(error: unknown, stop: AbortSignal): boolean {
  if (!stop.aborted) return false;
  return error === stop.reason || (error instanceof Error && error.name === 'AbortError');
}
