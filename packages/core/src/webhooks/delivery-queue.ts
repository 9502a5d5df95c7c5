import type { EventPlace, StoredEvent } from '../events/stored-event.ts';
import type { Scope } from '../store/scope.ts';
import type { DisabledReason } from './webhook.ts';

export interface TurnWriter {
  /** Makes the webhooks that subscribe to these events due, so that a dispatcher takes them. */
  wake(events: readonly StoredEvent[]): Promise<void>;
}

/** A webhook as one dispatcher holds it. */
export interface HeldWebhook extends Scope {
  readonly id: number;
  /** The token of the hold. */
  readonly token: string;
  readonly url: string;
  /** The encrypted secrets: the current one first, then the one that was replaced in the last 24 hours. */
  readonly secrets: readonly Uint8Array[];
  /**
   * When the failures in a row began, in ms of the epoch, and how many there are; null: the last
   * attempt succeeded.
   */
  readonly failures: { readonly since: number; readonly count: number } | null;
  /** The position in the outbox up to which first attempts were made or are queued. */
  readonly place: EventPlace;
}

/** An attempt to be made. */
export interface DueAttempt extends Pick<StoredEvent, 'place' | 'eventId' | 'event'> {
  /** The bytes that are sent and signed. */
  readonly body: Uint8Array;
  /** From 1. */
  readonly attempt: number;
}

/** An attempt that is stored in a row of its own; all others are made from events of the outbox. */
export interface QueuedAttempt extends DueAttempt {
  readonly dueAt: Date;
}

/** The limits of one read of attempts. */
export interface AttemptPage {
  readonly limit: number;
  /** The limit for all bodies together; the first one may have more. */
  readonly bytes: number;
}

/** A part of the outbox, as a webhook gets it. */
export interface EventPage {
  /** The events that the webhook subscribes to, in their order. */
  readonly events: readonly StoredEvent[];
  /** The position of the last event that was read. */
  readonly end: EventPlace;
  /** Whether there may be more events after it. */
  readonly hasMore: boolean;
}

/** An attempt that was made. */
export interface MadeAttempt extends Pick<DueAttempt, 'place' | 'eventId' | 'event' | 'attempt'> {
  readonly ok: boolean;
  readonly statusCode: number | null;
  readonly durationMs: number;
  readonly error: string | null;
  readonly beganAt: Date;
  /** Null: there is none. */
  readonly nextAttemptAt: Date | null;
  /** Whether it was read from a row of its own. */
  readonly wasQueued: boolean;
}

/** The outcome of a webhook's attempts, stored in one transaction. */
export interface AttemptRecord {
  readonly made: readonly MadeAttempt[];
  /** The attempts to repeat, and first attempts that the position passes. */
  readonly queued: readonly QueuedAttempt[];
  /** The position up to which first attempts were made or are queued. */
  readonly place: EventPlace;
  /** Why the webhook is switched off; null: it is not. */
  readonly disabled: DisabledReason | null;
}

export interface QueueState {
  /** First attempts that wait, and attempts that are repeated; counted up to 100,000 of each. */
  readonly first: number;
  readonly repeated: number;
  /** Age of the oldest first attempt that waits, in seconds; 0 without one. */
  readonly oldestSeconds: number;
}

/** The queue of deliveries. One dispatcher at a time holds a webhook. Throws StoreUnavailable. */
export interface DeliveryQueue {
  /**
   * Takes webhooks with due attempts that no dispatcher holds.
   *
   * @param wanted.share the most webhooks of one environment that the caller may hold at the same
   *   time
   * @param wanted.held how many it holds already, by environment
   */
  hold(
    wanted: {
      readonly limit: number;
      readonly share: number;
      readonly held: ReadonlyMap<number, number>;
      readonly seconds: number;
    },
    signal?: AbortSignal,
  ): Promise<readonly HeldWebhook[]>;

  /** Extends the holds; answers the tokens that are still valid. */
  renew(tokens: readonly string[], seconds: number): Promise<readonly string[]>;

  /**
   * Reads the events of a webhook from the outbox after a position, below the horizon.
   * @param page.limit the most events to read
   */
  events(
    held: HeldWebhook,
    page: AttemptPage & { readonly after: EventPlace },
    signal?: AbortSignal,
  ): Promise<EventPage>;

  /**
   * Reads queued first attempts in the order of the outbox: all are before the position of the webhook.
   * @param page.after null: from the first one on
   */
  first(
    held: HeldWebhook,
    page: AttemptPage & { readonly after: EventPlace | null },
    signal?: AbortSignal,
  ): Promise<readonly DueAttempt[]>;

  /** Repeated attempts that are due. */
  repeated(
    held: HeldWebhook,
    page: AttemptPage,
    signal?: AbortSignal,
  ): Promise<readonly DueAttempt[]>;

  /** Records attempts; false if the hold was lost: they count as not made then. */
  record(held: HeldWebhook, record: AttemptRecord): Promise<boolean>;

  /** Gives a webhook back; it is due again with its next attempt. */
  release(held: HeldWebhook, place: EventPlace): Promise<void>;

  state(signal?: AbortSignal): Promise<QueueState>;

  /** Removes records of attempts that are older than this, in hours, except the last 50 of each webhook. */
  prune(hours: number, signal?: AbortSignal): Promise<number>;
}
