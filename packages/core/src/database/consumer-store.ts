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

/** The outcome of following hints. */
export interface Followed {
  /** Environments that have more events to consume. */
  readonly more: readonly number[];
  /** Events that were consumed before. */
  readonly repeated: number;
  /** Environments with earlier events that no hint had announced. */
  readonly gaps: number;
}

/**
 * The positions of consumers in the outbox. An event takes effect once, and after all earlier ones
 * of its environment: the effect and the position are written in one transaction, under a lock on
 * the position. Throws StoreUnavailable.
 */
export interface ConsumerStore {
  /**
   * Consumes the events of a batch. Events that are not after the position are skipped; if earlier
   * events are missing from the batch, they are read from the outbox. Answers environments that
   * have more.
   */
  take(
    consumption: { readonly consumer: ConsumerName; readonly consume: ConsumeEvents },
    batch: EventBatch,
    signal?: AbortSignal,
  ): Promise<readonly number[]>;

  /**
   * Consumes the events after the positions of these environments from the outbox, unless the
   * positions are already past the hints.
   */
  follow(
    consumption: { readonly consumer: ConsumerName; readonly consume: ConsumeEvents },
    hints: readonly EventHint[],
    signal?: AbortSignal,
  ): Promise<Followed>;

  /**
   * Consumes the events after the positions of these environments from the outbox; answers those
   * with more.
   */
  catchUp(
    consumption: { readonly consumer: ConsumerName; readonly consume: ConsumeEvents },
    environmentIds: readonly number[],
    signal?: AbortSignal,
  ): Promise<readonly number[]>;

  /**
   * Environments in which the consumer has not reached the last event, if that event is older than
   * this.
   */
  behind(
    consumer: ConsumerName,
    olderThanMs: number,
    signal?: AbortSignal,
  ): Promise<readonly number[]>;

  /** How long each consumer's next event has waited, in seconds; 0 if there is none. */
  lags(signal?: AbortSignal): Promise<Readonly<Record<ConsumerName, number>>>;
}
