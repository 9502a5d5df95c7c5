import { DomainError } from '../domain-error.ts';
import { EVENT_TRANSPORT_UNAVAILABLE } from '../events/event-transport-unavailable.ts';

/** Codes of the errors of what is away, and comes back by itself. */
const AWAY: ReadonlySet<string> = new Set([
  'store_unavailable',
  'inference_unavailable',
  'no_active_model',
  'vectors_unavailable',
  'overloaded',
  EVENT_TRANSPORT_UNAVAILABLE,
]);

/** Whether background work failed for what it needs, and has only to be tried again. */
export function isAway(error: unknown): error is DomainError {
  return error instanceof DomainError && AWAY.has(error.code);
}
