import { DomainError } from '../domain-error.ts';

/**
 * The event transport cannot be reached. No event is lost: the outbox keeps them. The API never answers
 * this error, so its code is in no table of problems.
 */
export class EventTransportUnavailable extends DomainError {
  readonly code: string = 'event_transport_unavailable';
}
