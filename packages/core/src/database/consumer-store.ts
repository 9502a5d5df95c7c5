import type { FeedWriter } from '../feed/feed-store.ts';
import type { TurnWriter } from '../webhooks/delivery-queue.ts';
import type { ConsumerName, EventBatch, EventHint } from '../events/event-stream.ts';
import type { StoredEvent } from '../events/stored-event.ts';

/** The reads and writes of event consumers, in the transaction that moves their positions. */
export interface ConsumerTransaction {
  readonly feed: FeedWriter;
  readonly turns: TurnWriter;
}

/** Events of several environments, those of each in their order. */
export type ConsumeEvents = (
  transaction: ConsumerTransaction,
  events: readonly StoredEvent[],
) => Promise<void>;

/** The outcome of hints. */
export interface Followed {
  /** Environments that have more. */
  readonly more: readonly number[];
  /** Events that were consumed before. */
  readonly repeated: number;
  /** Environments with earlier events that no hint had announced. */
  readonly gaps: number;
}

/**
 * The places of consumers. An event has its effect once, and after all that are before it in its
 * environment: effect and place are one transaction, under a lock on the place. Throws StoreUnavailable.
 */
export interface ConsumerStore {
  /**
   * Consumes events of a batch. What is not newer than the place is passed over; where something is missing
   * before an event, the outbox says what. Answers environments that have more.
   */
  take(
    consumption: { readonly consumer: ConsumerName; readonly consume: ConsumeEvents },
    batch: EventBatch,
    signal?: AbortSignal,
  ): Promise<readonly number[]>;

  /**
   * Consumes what the outbox has after the places of these environments, unless they are past what is hinted at.
   */
  follow(
    consumption: { readonly consumer: ConsumerName; readonly consume: ConsumeEvents },
    hints: readonly EventHint[],
    signal?: AbortSignal,
  ): Promise<Followed>;

  /** Consumes what the outbox has after the places of these environments; answers those that have more. */
  catchUp(
    consumption: { readonly consumer: ConsumerName; readonly consume: ConsumeEvents },
    environmentIds: readonly number[],
    signal?: AbortSignal,
  ): Promise<readonly number[]>;

  /** Environments in which the consumer has not come to the last event, if that is this old, in ms. */
  behind(
    consumer: ConsumerName,
    olderThanMs: number,
    signal?: AbortSignal,
  ): Promise<readonly number[]>;

  /** How long the event that a consumer has to take next has waited, in seconds; 0 if there is none. */
  lags(signal?: AbortSignal): Promise<Readonly<Record<ConsumerName, number>>>;
}
