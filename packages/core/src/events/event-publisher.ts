import type { EventBatch } from './event-stream.ts';

export interface EventPublisher {
  /** The destination of the events. The relay stores a separate position in the outbox for each topic. */
  readonly topic: string;
  /**
   * Resolves when the transport has all events. Events of one environment keep their order.
   *
   * @throws EventTransportUnavailable, after which some events may have been published; the signal's reason on abort
   */
  publish(batch: EventBatch, signal: AbortSignal): Promise<void>;
  /**
   * Resolves if events could be published now.
   *
   * @throws EventTransportUnavailable; the signal's reason on abort
   */
  check(signal: AbortSignal): Promise<void>;
}
