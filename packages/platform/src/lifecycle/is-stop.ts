/**
 * Whether an error only reports that the process stops. Such an error is the signal's reason or an AbortError, which
 * Node's functions throw instead of the reason.
 */
export function isStop(error: unknown, stop: AbortSignal): boolean {
  if (!stop.aborted) return false;
  return error === stop.reason || (error instanceof Error && error.name === 'AbortError');
}
