import { DomainError } from '../domain-error.ts';

/** The error codes of dependencies that are unavailable and recover by themselves. */
const OUTAGES: ReadonlySet<string> = new Set([
  'store_unavailable',
  'inference_unavailable',
  'no_active_model',
  'vectors_unavailable',
  'overloaded',
  'event_transport_unavailable',
]);

/** Whether background work failed because a dependency is unavailable, so that a retry may succeed. */
export function isOutage(error: unknown): error is DomainError {
  return error instanceof DomainError && OUTAGES.has(error.code);
}
