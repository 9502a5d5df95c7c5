import { setTimeout as sleep } from 'node:timers/promises';
import type { EventPlace } from '@sightline/core/events/stored-event';
import { afterAttempt } from '@sightline/core/webhooks/after-attempt';
import type {
  DeliveryQueue,
  DueAttempt,
  HeldWebhook,
  MadeAttempt,
  QueuedAttempt,
} from '@sightline/core/webhooks/delivery-queue';
import type { SecretBox } from '@sightline/core/webhooks/secret-box';
import type { SendMessage, SendResult } from '@sightline/core/webhooks/send-message';
import type { DisabledReason } from '@sightline/core/webhooks/webhook';
import type { DispatcherObserver } from './dispatcher-metrics.ts';
import { type BegunAttempt, FirstAttempts } from './first-attempts.ts';
import { firstAttemptOf, queuedAttemptOf } from './message-of.ts';

export interface WebhookSenderDeps {
  readonly queue: DeliveryQueue;
  readonly secrets: SecretBox;
  readonly send: SendMessage;
  readonly observer: DispatcherObserver;
}

/** Requests to one endpoint at the same time. */
const MAX_IN_FLIGHT = 8;
/** After so many failures in a row an endpoint gets one request at a time. */
const CAREFUL_AFTER = 3;
const FIRST_WINDOW = 1024;
const REPEATED_WINDOW = 64;
/** Of the messages that are read at once, unless the first one alone has more: a process holds many webhooks. */
const WINDOW_BYTES = 128 * 1024;
/** Attempts that end within this time, in ms, are recorded together. */
const GATHER_MS = 100;
/** After so long, in ms, the hold is renewed by another one, with what was changed meanwhile. */
const LONGEST_HOLD_MS = 10_000;

/** Sends what is due to one webhook, as long as this process holds it. */
export class WebhookSender {
  readonly #deps: WebhookSenderDeps;
  readonly #held: HeldWebhook;
  readonly #signal: AbortSignal;
  #opened: readonly string[] | null = null;
  readonly #first = new FirstAttempts();
  readonly #repeated: DueAttempt[] = [];
  readonly #inFlight = new Set<Promise<void>>();
  #made: MadeAttempt[] = [];
  /** What follows on attempts that failed. */
  #again: QueuedAttempt[] = [];
  /** Of the queued first attempts, the last one that was read; all of them have been read before any event. */
  #lastQueued: EventPlace | null = null;
  #hasReadQueued = false;
  #hasReadRepeated = false;
  /** Of the outbox. */
  #readTo: EventPlace;
  /** Whether the outbox had more to be read. */
  #hasMore = true;
  /** Whether an attempt has ended since the last read. */
  #hasEnded = false;
  #failures: HeldWebhook['failures'];
  #disabled: DisabledReason | null = null;
  #isLost = false;
  /** What ended it, as the database being away. */
  #failed: { readonly error: unknown } | null = null;
  /** On the process's clock. */
  #until = performance.now() + LONGEST_HOLD_MS;

  /** @param signal of which no request begins any more, and those in flight are given up */
  constructor(deps: WebhookSenderDeps, held: HeldWebhook, signal: AbortSignal) {
    this.#deps = deps;
    this.#held = held;
    this.#signal = signal;
    this.#failures = held.failures;
    this.#readTo = held.place;
  }

  /**
   * Sends until nothing is due, and gives the webhook back.
   *
   * @throws StoreUnavailable: what was not recorded is sent again
   */
  async run(): Promise<void> {
    try {
      await this.#fill();
      this.#begin();
      while (this.#inFlight.size > 0 && !this.#isEnding()) {
        await this.#gather();
        // Before what was made is recorded, so that requests go on meanwhile.
        if (!this.#isEnding()) await this.#fill();
        this.#begin();
        await this.#record();
      }
    } finally {
      this.#until = 0;
      await Promise.all(this.#inFlight);
    }
    await this.#record();
    if (this.#failed !== null) throw this.#failed.error;
    if (!this.#isLost) await this.#deps.queue.release(this.#held, this.#place());
  }

  /** Waits until attempts are to be recorded: for a moment, or until more should be read. */
  async #gather(): Promise<void> {
    const end = performance.now() + GATHER_MS;
    const moment = sleep(GATHER_MS);
    while (performance.now() < end) {
      const isEnough = this.#isEnding() ? this.#inFlight.size === 0 : this.#isShort();
      if (isEnough) return;
      await Promise.race([
        moment,
        ...(this.#inFlight.size > 0 ? [Promise.all(this.#inFlight)] : []),
      ]);
    }
  }

  /** Whether more should be read, and is there. */
  #isShort(): boolean {
    return this.#hasMore && !this.#hasEnough() && !this.#isStuck();
  }

  /** Whether no request begins any more. */
  #isEnding(): boolean {
    const isOver = this.#isLost || this.#disabled !== null || this.#failed !== null;
    return isOver || this.#signal.aborted || performance.now() >= this.#until;
  }

  async #fill(): Promise<void> {
    const { queue } = this.#deps;
    if (!this.#hasReadRepeated) {
      this.#hasReadRepeated = true;
      this.#repeated.push(
        ...(await queue.repeated(this.#held, { limit: REPEATED_WINDOW, bytes: WINDOW_BYTES })),
      );
    }
    if (this.#hasEnough() || this.#isStuck()) return;
    this.#hasEnded = false;
    if (!this.#hasReadQueued) await this.#readQueued();
    if (this.#hasReadQueued) await this.#readEvents();
  }

  /** An endpoint that takes all its requests and answers none of them costs the database nothing. */
  #isStuck(): boolean {
    return !this.#hasEnded && this.#inFlight.size >= this.#limit();
  }

  async #readQueued(): Promise<void> {
    const page = { after: this.#lastQueued, limit: FIRST_WINDOW, bytes: WINDOW_BYTES };
    const read = await this.#deps.queue.first(this.#held, page);
    this.#first.add(read.map(queuedAttemptOf), { areQueued: true });
    this.#hasReadQueued = read.length === 0;
    this.#lastQueued = read.at(-1)?.place ?? null;
  }

  /** What the webhook does not want is passed over. */
  async #readEvents(): Promise<void> {
    do {
      const page = { after: this.#readTo, limit: FIRST_WINDOW, bytes: WINDOW_BYTES };
      const { events, end, hasMore } = await this.#deps.queue.events(this.#held, page);
      this.#first.add(events.map(firstAttemptOf), { areQueued: false });
      this.#readTo = end;
      this.#hasMore = hasMore;
    } while (this.#hasMore && this.#first.size === 0 && !this.#isEnding());
  }

  #hasEnough(): boolean {
    return this.#first.size > FIRST_WINDOW / 2 || this.#first.bytes > WINDOW_BYTES / 2;
  }

  /** Requests that may be in flight now. */
  #limit(): number {
    const isCareful = (this.#failures?.count ?? 0) >= CAREFUL_AFTER;
    return isCareful ? 1 : MAX_IN_FLIGHT;
  }

  #begin(): void {
    while (this.#inFlight.size < this.#limit() && !this.#isEnding()) {
      const taken = this.#first.take() ?? this.#takeRepeated();
      if (taken === null) return;
      const attempt = this.#attempt(taken)
        .catch((error: unknown) => {
          if (!this.#signal.aborted) this.#failed ??= { error };
        })
        .finally(() => {
          this.#hasEnded = true;
          this.#inFlight.delete(attempt);
          this.#begin();
        });
      this.#inFlight.add(attempt);
    }
  }

  #takeRepeated(): BegunAttempt | null {
    const attempt = this.#repeated.shift();
    return attempt === undefined ? null : { attempt, wasQueued: true, end: () => undefined };
  }

  /** One that is given up or fails has not ended: who holds the webhook next makes it. */
  async #attempt(begun: BegunAttempt): Promise<void> {
    const { send, observer } = this.#deps;
    const { attempt: due } = begun;
    const { place, eventId, event, attempt, body } = due;
    const { url } = this.#held;
    const beganAt = new Date();
    const secrets = (this.#opened ??= this.#openSecrets());
    const result = await send({ url, eventId, body, secrets }, this.#signal);
    observer.attempted(result);
    const now = Date.now();
    this.#count(result, beganAt);
    const after = afterAttempt({ result, attempt, failures: this.#failures, now });
    if (after.next === 'disable') this.#disabled ??= after.reason;
    const nextAttemptAt = after.next === 'pause' ? new Date(now + after.pauseMs) : null;
    const { ok, statusCode, durationMs, error } = result;
    const { wasQueued } = begun;
    const about = { place, eventId, event, attempt, beganAt, nextAttemptAt, wasQueued };
    this.#made.push({ ...about, ok, statusCode, durationMs, error });
    if (nextAttemptAt !== null) {
      this.#again.push({ ...due, attempt: attempt + 1, dueAt: nextAttemptAt });
    }
    begun.end();
  }

  #openSecrets(): readonly string[] {
    const { environmentId, secrets } = this.#held;
    return secrets.map((secret) => this.#deps.secrets.open(secret, environmentId));
  }

  #count({ ok }: SendResult, beganAt: Date): void {
    const { since = beganAt.getTime(), count = 0 } = this.#failures ?? {};
    this.#failures = ok ? null : { since, count: count + 1 };
  }

  /** Up to here, all that the webhook wants was made or is queued. */
  #place(): EventPlace {
    return this.#first.isDone ? this.#readTo : (this.#first.furthest?.place ?? this.#held.place);
  }

  async #record(): Promise<void> {
    const made = this.#made;
    if (made.length === 0 || this.#isLost) return;
    const now = new Date();
    const passed = this.#first.passed().map((attempt) => ({ ...attempt, dueAt: now }));
    const queued = [...this.#again, ...passed];
    this.#made = [];
    this.#again = [];
    const { queue, observer } = this.#deps;
    const disabled = this.#disabled;
    const record = { made, queued, place: this.#place(), disabled };
    this.#isLost = !(await queue.record(this.#held, record));
    if (disabled !== null && !this.#isLost) observer.switchedOff(disabled);
  }
}
