import { DomainError } from '../domain-error.ts';

/** Of an error that no caller of the API meets: it is in no table of problems. */
export const EVENT_TRANSPORT_UNAVAILABLE = 'event_transport_unavailable';

/** What carries events cannot be reached. Nothing is lost: the outbox has them. */
export class EventTransportUnavailable extends DomainError {
  readonly code = EVENT_TRANSPORT_UNAVAILABLE;
}
