import { DomainError } from '../domain-error.ts';

/**
 * What carries events cannot be reached. Nothing is lost: the outbox has them. No caller of the API meets it, so its
 * code is in no table of problems.
 */
export class EventTransportUnavailable extends DomainError {
  readonly code: string = 'event_transport_unavailable';
}
