import type { StoredEvent } from './stored-event.ts';

/** The consumers of events, each of which gets all of them. */
export const CONSUMERS = ['feed', 'webhooks'] as const;

export type ConsumerName = (typeof CONSUMERS)[number];

/** Tells consumers of events as they come. */
export interface EventStream {
  /** What carries the events. */
  readonly transport: 'embedded' | 'kafka';
  /**
   * Gives a consumer the events that are committed from now on, in batches, until the signal aborts. It
   * may give some again, lose some, and change their order: places tell the consumer. If `take` fails, the
   * batch counts as given.
   *
   * Processes that listen for the same consumer may share its events.
   */
  listen(consumer: ConsumerName, take: TakeEvents, signal: AbortSignal): Promise<void>;
}

export type TakeEvents = (batch: EventBatch, signal: AbortSignal) => Promise<void>;

export interface EventBatch {
  /** Of the outbox that the places belong to. */
  readonly epoch: string;
  /** Those of an environment in their order. */
  readonly events: readonly StoredEvent[];
}
