import { DomainError } from '../domain-error.ts';

/** What carries events cannot be reached. Nothing is lost: the outbox has them. */
export class EventTransportUnavailable extends DomainError {
  readonly code = 'event_transport_unavailable';
}
