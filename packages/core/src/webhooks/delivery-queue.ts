import type { EventPlace } from '../events/stored-event.ts';
import type { Scope } from '../store/scope.ts';
import type { DisabledReason } from './webhook.ts';

/** A message that has become due for webhooks. */
export interface QueuedMessage extends Scope {
  readonly place: EventPlace;
  readonly eventId: string;
  readonly event: string;
  /** What is sent and signed. */
  readonly body: Uint8Array;
}

export interface MessageWriter {
  /** Queues messages, once each, for the webhooks that were active at the place of its event. */
  queue(messages: readonly QueuedMessage[]): Promise<void>;
}

/** A webhook as one dispatcher holds it. */
export interface HeldWebhook extends Scope {
  readonly id: number;
  /** Of the hold. */
  readonly token: string;
  readonly url: string;
  /** Encrypted: the present one first, then that of the last 24 hours. */
  readonly secrets: readonly Uint8Array[];
  /** Since when nothing but failures, in ms of the epoch, and how many; null: the last one was none. */
  readonly failures: { readonly since: number; readonly count: number } | null;
}

/** An attempt to be made. */
export interface DueAttempt extends Pick<QueuedMessage, 'place' | 'eventId' | 'event' | 'body'> {
  /** From 1. */
  readonly attempt: number;
}

/** How many attempts are read at once. */
export interface AttemptPage {
  readonly limit: number;
  /** Of all bodies together; the first one may have more. */
  readonly bytes: number;
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
}

export interface QueueState {
  /** First attempts that wait, and attempts that are repeated. */
  readonly first: number;
  readonly repeated: number;
  /** Age of the oldest first attempt that waits, in seconds; 0 without one. */
  readonly oldestSeconds: number;
}

/** What dispatchers send. Of each webhook one dispatcher at a time. Throws StoreUnavailable. */
export interface DeliveryQueue {
  /**
   * Takes webhooks with something due that nobody holds.
   *
   * @param wanted.without environments that have their share already
   */
  hold(
    wanted: {
      readonly limit: number;
      readonly without: readonly number[];
      readonly seconds: number;
    },
    signal?: AbortSignal,
  ): Promise<readonly HeldWebhook[]>;

  /** Holds them longer; answers the tokens that still hold. */
  renew(tokens: readonly string[], seconds: number): Promise<readonly string[]>;

  /** First attempts after a place, in the order of the outbox. */
  first(
    held: HeldWebhook,
    page: AttemptPage & { readonly after: EventPlace },
    signal?: AbortSignal,
  ): Promise<readonly DueAttempt[]>;

  /** Repeated attempts that are due. */
  repeated(
    held: HeldWebhook,
    page: AttemptPage,
    signal?: AbortSignal,
  ): Promise<readonly DueAttempt[]>;

  /**
   * Records attempts; false if the hold was lost: they count as not made then. With a reason, the webhook is
   * switched off.
   */
  record(
    held: HeldWebhook,
    made: readonly MadeAttempt[],
    disabled: DisabledReason | null,
  ): Promise<boolean>;

  /** Gives it back: it is due again with its next attempt. */
  release(held: HeldWebhook): Promise<void>;

  state(signal?: AbortSignal): Promise<QueueState>;

  /** Removes records of attempts that are this old, but for the last 50 of each webhook; in hours. */
  prune(hours: number, signal?: AbortSignal): Promise<number>;
}
