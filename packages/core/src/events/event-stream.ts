import type { EventPlace, StoredEvent } from './stored-event.ts';

/** The consumers of events, each of which gets all of them. */
export const CONSUMERS = ['feed', 'webhooks'] as const;

export type ConsumerName = (typeof CONSUMERS)[number];

/** Tells consumers of events as they come. */
export interface EventStream {
  /** What carries the events. */
  readonly transport: 'embedded' | 'kafka';
  /**
   * Tells a consumer of the events that are committed from now on until the signal aborts. It may tell of some
   * again, lose some, and change their order: places tell the consumer. If the receiver fails, what it was told
   * counts as told.
   *
   * Processes that listen for the same consumer may share its events.
   */
  listen(consumer: ConsumerName, receiver: EventReceiver, signal: AbortSignal): Promise<void>;
}

/** What a stream tells: events that it has read from the outbox itself, or hints. */
export interface EventReceiver {
  take(batch: EventBatch, signal: AbortSignal): Promise<void>;
  follow(hints: readonly EventHint[], signal: AbortSignal): Promise<void>;
}

export interface EventBatch {
  /** Of the outbox that the places belong to. */
  readonly epoch: string;
  /** Those of an environment in their order. */
  readonly events: readonly StoredEvent[];
}

/**
 * Says that an environment has events. Whoever may write into the transport may have made it up, so the outbox
 * alone says which.
 */
export interface EventHint {
  readonly environmentId: number;
  /** Of the outbox that the places belong to. */
  readonly epoch: string;
  /** Of the last event that it stands for. */
  readonly place: EventPlace;
  /** Of the event before the first one that it stands for; null if the outbox had none. */
  readonly previous: EventPlace | null;
  /** How many events it stands for. */
  readonly events: number;
}
