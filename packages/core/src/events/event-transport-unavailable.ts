import { DomainError } from '../domain-error.ts';

/**
 * The event transport does not answer. No event is lost, because the outbox keeps all events. The API never returns this
 * error, so the table of API problems does not contain its code.
 */
export class EventTransportUnavailable extends DomainError {
  readonly code: string = 'event_transport_unavailable';
}
