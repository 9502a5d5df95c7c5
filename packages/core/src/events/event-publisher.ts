import type { EventBatch } from './event-stream.ts';

/** Publishes events to a transport. */
export interface EventPublisher {
  /** The destination of the events. Each topic has its own position in the outbox. */
  readonly topic: string;
  /**
   * Resolves once the transport has all of the events, those of an environment in their order.
   *
   * @throws EventTransportUnavailable: some may have been published; the signal's reason on abort
   */
  publish(batch: EventBatch, signal: AbortSignal): Promise<void>;
  /**
   * Resolves if events could be published now.
   *
   * @throws EventTransportUnavailable; the signal's reason on abort
   */
  check(signal: AbortSignal): Promise<void>;
}
