import type { EventPlace, StoredEvent } from './stored-event.ts';

/** The consumers of events, each of which gets all of them. */
export const CONSUMERS = ['feed', 'webhooks'] as const;

export type ConsumerName = (typeof CONSUMERS)[number];

/** Notifies consumers of events as they are committed. */
export interface EventStream {
  /** The name of the transport. */
  readonly transport: 'embedded' | 'kafka';
  /**
   * Notifies a consumer of the events that are committed from now on until the signal aborts. It may
   * repeat, lose and reorder events; their positions let the consumer detect that. Events whose
   * receiver fails are not repeated.
   *
   * Processes that listen for the same consumer may share its events.
   */
  listen(consumer: ConsumerName, receiver: EventReceiver, signal: AbortSignal): Promise<void>;
}

/** The content of a notification: events that the stream read from the outbox itself, or hints. */
export interface EventReceiver {
  take(batch: EventBatch, signal: AbortSignal): Promise<void>;
  follow(hints: readonly EventHint[], signal: AbortSignal): Promise<void>;
}

export interface EventBatch {
  /** The id of the outbox that the positions belong to. */
  readonly epoch: string;
  /** The events; those of one environment are in their order. */
  readonly events: readonly StoredEvent[];
}

/**
 * Says that an environment has events. Any writer to the transport can forge a hint, so the consumer
 * reads the events from the outbox.
 */
export interface EventHint {
  readonly environmentId: number;
  /** The id of the outbox that the positions belong to. */
  readonly epoch: string;
  /** The position of the last event that the hint covers. */
  readonly place: EventPlace;
  /** The position before the first event that the hint covers; null if the outbox had none. */
  readonly previous: EventPlace | null;
  /** How many events the hint covers. */
  readonly events: number;
}
