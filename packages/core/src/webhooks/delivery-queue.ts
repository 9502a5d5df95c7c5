import type { EventPosition, StoredEvent } from '../events/stored-event.ts';
import type { Scope } from '../store/scope.ts';
import type { DisabledReason } from './webhook.ts';

export interface TurnWriter {
  /**
   * Marks the webhooks that subscribe to these events as due, so that a dispatcher takes them and sends the events.
   */
  wake(events: readonly StoredEvent[]): Promise<void>;
}

/**
 * A webhook that a dispatcher has reserved for some seconds (holds). Only this dispatcher may send to it in this
 * time.
 */
export interface HeldWebhook extends Scope {
  readonly id: number;
  readonly token: string;
  readonly url: string;
  /** The encrypted secrets: the current one, and the previous one if it was replaced in the last 24 hours. */
  readonly secrets: readonly Uint8Array[];
  /**
   * The current series of failed attempts: its start, in ms since 1970, and its length. Null if the last attempt
   * succeeded.
   */
  readonly failures: { readonly since: number; readonly count: number } | null;
  /** The position in the outbox up to which all first attempts were made or have a row in the queue. */
  readonly position: EventPosition;
  /** The kind of attempt whose turn it is: the one that was not made last. */
  readonly turn: 'first' | 'repeated';
}

export interface DueAttempt extends Pick<StoredEvent, 'position' | 'eventId' | 'event'> {
  /** The bytes that are sent and signed. */
  readonly body: Uint8Array;
  /** The number of the attempt, starting at 1. */
  readonly attempt: number;
}

/** An attempt that has a row in the queue. Other attempts are made directly from events of the outbox. */
export interface QueuedAttempt extends DueAttempt {
  readonly dueAt: Date;
}

/** The limits of one read of attempts. */
export interface AttemptPage {
  readonly limit: number;
  /** The most bytes of all bodies together. The first body may be larger. */
  readonly bytes: number;
}

/** A part of the outbox that was read for a webhook. */
export interface EventPage {
  /** The events to which the webhook subscribes, in their order. */
  readonly events: readonly StoredEvent[];
  /** The position of the last event that was read. */
  readonly end: EventPosition;
  /** Whether the outbox may have more events after `end`. */
  readonly hasMore: boolean;
}

export interface MadeAttempt extends Pick<
  DueAttempt,
  'position' | 'eventId' | 'event' | 'attempt'
> {
  readonly ok: boolean;
  readonly statusCode: number | null;
  readonly durationMs: number;
  readonly error: string | null;
  readonly startedAt: Date;
  /** Null if no attempt follows. */
  readonly nextAttemptAt: Date | null;
  readonly wasQueued: boolean;
}

/** The outcome of a webhook's attempts, stored in one transaction. */
export interface AttemptRecord {
  readonly made: readonly MadeAttempt[];
  /** The attempts that get a row in the queue: repetitions, and first attempts before `position` that were not made. */
  readonly queued: readonly QueuedAttempt[];
  /** The position in the outbox up to which all first attempts were made or have a row in the queue. */
  readonly position: EventPosition;
  /** The reason for which the webhook is switched off; null if it is not. */
  readonly disabled: DisabledReason | null;
}

/** The most webhooks that a dispatcher may reserve. */
export interface HoldLimits {
  /** How many more it may reserve now. */
  readonly limit: number;
  /** The most webhooks of one environment that it may hold at the same time. */
  readonly share: number;
}

/** The webhooks of an environment that a dispatcher holds. */
export interface HeldCount extends Scope {
  readonly webhooks: number;
  /** How many of them were failing when they were reserved. */
  readonly failing: number;
}

/** The position of a webhook among the due ones, of which the last one to become due is the first. */
export interface DuePosition extends Scope {
  readonly dueAt: Date;
  readonly id: number;
}

export interface HoldRequest extends HoldLimits {
  /** Only webhooks after this position are read; null reads the first ones. */
  readonly after: DuePosition | null;
  /** How many due webhooks are read. */
  readonly read: number;
  /** The most webhooks that this call reserves. Later calls reserve the others. */
  readonly most: number;
  /** Further limits for webhooks whose last attempts have failed, at least `after` in a row. */
  readonly failing: HoldLimits & { readonly after: number };
  readonly held: readonly HeldCount[];
  /** The duration of the reservation. */
  readonly seconds: number;
}

export interface HoldResult {
  readonly webhooks: readonly HeldWebhook[];
  /** The position of the last webhook that was read; null if no others are due after it. */
  readonly end: DuePosition | null;
}

export interface QueueState {
  /** The number of waiting first attempts, at most 100,000. */
  readonly first: number;
  /** The number of waiting repeated attempts, at most 100,000. */
  readonly repeated: number;
  /** The age of the oldest waiting first attempt, in seconds; 0 if none waits. */
  readonly oldestSeconds: number;
}

/**
 * The queue of messages to webhooks. Only one dispatcher at a time sends to a webhook. All methods throw
 * StoreUnavailable.
 */
export interface DeliveryQueue {
  /**
   * Reserves webhooks that have due attempts, and that no dispatcher holds, for some seconds. Of the webhooks that the
   * call reads, environments take turns, beginning with those of which the fewest webhooks are held. An environment
   * gets no more than what stays free for others (a dynamic threshold, as in FairShares), so that another environment
   * finds room at any time.
   */
  hold(request: HoldRequest, signal?: AbortSignal): Promise<HoldResult>;

  /** Extends the reservations of webhooks. Returns the tokens of those that were not lost to another dispatcher. */
  renew(tokens: readonly string[], seconds: number): Promise<readonly string[]>;

  /**
   * Reads the events after a position for a webhook. Events of transactions that began after the oldest open
   * transaction are not read, because open transactions may still add events before them.
   *
   * @param page.limit the most events to read
   */
  events(
    held: HeldWebhook,
    page: AttemptPage & { readonly after: EventPosition },
    signal?: AbortSignal,
  ): Promise<EventPage>;

  /**
   * Reads the first attempts in the queue, in the order of the outbox. All of them are before `held.position`.
   *
   * @param page.after null starts at the first attempt
   */
  first(
    held: HeldWebhook,
    page: AttemptPage & { readonly after: EventPosition | null },
    signal?: AbortSignal,
  ): Promise<readonly DueAttempt[]>;

  /** Reads the repeated attempts that are due. */
  repeated(
    held: HeldWebhook,
    page: AttemptPage,
    signal?: AbortSignal,
  ): Promise<readonly DueAttempt[]>;

  /**
   * Records attempts. If the reservation was lost, records nothing and returns false. The dispatcher that has taken
   * the webhook since then repeats the attempts.
   */
  record(held: HeldWebhook, record: AttemptRecord): Promise<boolean>;

  /** Ends the reservation of a webhook. The webhook becomes due again at the time of its next attempt. */
  release(held: HeldWebhook, position: EventPosition): Promise<void>;

  state(signal?: AbortSignal): Promise<QueueState>;

  /** Removes records of attempts that are older than these hours, except the last 50 of each webhook. */
  prune(hours: number, signal?: AbortSignal): Promise<number>;
}
