import { DomainError } from '../domain-error.ts';

/** Codes of the errors of what is away, and comes back by itself. */
const AWAY: ReadonlySet<string> = new Set([
  'store_unavailable',
  'inference_unavailable',
  'no_active_model',
  'vectors_unavailable',
  'overloaded',
  'event_transport_unavailable',
]);

/** Whether background work failed for what it needs, and has only to be tried again. */
export function isAway(error: unknown): error is DomainError {
  return error instanceof DomainError && AWAY.has(error.code);
}
