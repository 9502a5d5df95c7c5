import type { EventPosition, StoredEvent } from './stored-event.ts';

/** The consumers of events. Each consumer gets all events. */
export const CONSUMERS = ['feed', 'webhooks'] as const;

export type ConsumerName = (typeof CONSUMERS)[number];

export interface EventStream {
  readonly transport: 'embedded' | 'kafka';
  /**
   * Notifies a consumer of the events that are committed from now on, until the signal aborts. The stream may repeat,
   * lose and reorder events; the consumer detects that by their positions. If the receiver fails, the stream does not
   * deliver the same events to it again.
   *
   * If several processes listen for the same consumer, each of them may get only a part of the events.
   */
  listen(consumer: ConsumerName, receiver: EventReceiver, signal: AbortSignal): Promise<void>;
}

export interface EventReceiver {
  /** Receives events that the stream itself has read from the outbox. */
  take(batch: EventBatch, signal: AbortSignal): Promise<void>;
  follow(hints: readonly EventHint[], signal: AbortSignal): Promise<void>;
}

export interface EventBatch {
  /** The id of the outbox to which the positions belong. */
  readonly epoch: string;
  /** The events. Those of one environment are in the order of their positions. */
  readonly events: readonly StoredEvent[];
}

/**
 * Says that an environment has new events. The consumer reads the events from the outbox, because anyone who can write to
 * the transport can forge a hint.
 */
export interface EventHint {
  readonly environmentId: number;
  /** The id of the outbox to which the positions belong. */
  readonly epoch: string;
  readonly position: EventPosition;
  /**
   * The position of the environment's last event before those of the hint; null if the outbox had no earlier event.
   * From it, the consumer sees whether an earlier hint was lost.
   */
  readonly previous: EventPosition | null;
  readonly events: number;
}
