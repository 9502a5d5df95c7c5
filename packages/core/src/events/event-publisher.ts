import type { EventBatch } from './event-stream.ts';

/** Carries events to those who listen. */
export interface EventPublisher {
  /** The destination of the events. Each topic has its own position in the outbox. */
  readonly topic: string;
  /**
   * Settles when the transport has all of them, those of an environment in their order.
   *
   * @throws EventTransportUnavailable: some may have been published; the signal's reason on abort
   */
  publish(batch: EventBatch, signal: AbortSignal): Promise<void>;
  /**
   * Settles when it is certain that something could be published.
   *
   * @throws EventTransportUnavailable; the signal's reason on abort
   */
  check(signal: AbortSignal): Promise<void>;
}
