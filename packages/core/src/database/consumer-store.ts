import type { FeedWriter } from '../feed/feed-store.ts';
import type { TurnWriter } from '../webhooks/delivery-queue.ts';
import type { ConsumerName, EventBatch, EventHint } from '../events/event-stream.ts';
import type { StoredEvent } from '../events/stored-event.ts';

/** The writes that event consumers make in the transaction that also advances their positions in the outbox. */
export interface ConsumerTransaction {
  readonly feed: FeedWriter;
  readonly turns: TurnWriter;
}

/** Consumes events of several environments. The events of one environment are in the order of the outbox. */
export type ConsumeEvents = (
  transaction: ConsumerTransaction,
  events: readonly StoredEvent[],
) => Promise<void>;

export interface Followed {
  /** The environments that have more events to consume. */
  readonly more: readonly number[];
  /** The number of events that hints announced although they had already been consumed. */
  readonly repeated: number;
  /** The number of environments with earlier events that no hint had announced. */
  readonly gaps: number;
}

/**
 * Stores the positions of consumers in the outbox. A consumer handles each event exactly once, in the order of its
 * environment, because one transaction locks the position, writes the effect, and advances the position. All methods
 * throw StoreUnavailable.
 */
export interface ConsumerStore {
  /**
   * Consumes the events of a batch. Events that were already consumed are skipped. Earlier events that the batch does
   * not contain are read from the outbox. Returns the environments that have more events.
   */
  take(
    consumption: { readonly consumer: ConsumerName; readonly consume: ConsumeEvents },
    batch: EventBatch,
    signal?: AbortSignal,
  ): Promise<readonly number[]>;

  /**
   * Consumes events from the outbox in the environments of the hints. It skips an environment whose position is already
   * past its hint.
   */
  follow(
    consumption: { readonly consumer: ConsumerName; readonly consume: ConsumeEvents },
    hints: readonly EventHint[],
    signal?: AbortSignal,
  ): Promise<Followed>;

  /**
   * Consumes the next events of environments from the outbox. Returns the environments that have more events.
   */
  catchUp(
    consumption: { readonly consumer: ConsumerName; readonly consume: ConsumeEvents },
    environmentIds: readonly number[],
    signal?: AbortSignal,
  ): Promise<readonly number[]>;

  /**
   * The environments whose last event is older than `olderThanMs` and was not yet consumed.
   */
  behind(
    consumer: ConsumerName,
    olderThanMs: number,
    signal?: AbortSignal,
  ): Promise<readonly number[]>;

  /** The age of each consumer's next event, in seconds; 0 if no event is waiting. */
  lags(signal?: AbortSignal): Promise<Readonly<Record<ConsumerName, number>>>;
}
