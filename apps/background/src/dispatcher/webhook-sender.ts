import type { EventPosition } from '@sightline/core/events/stored-event';
import { afterAttempt } from '@sightline/core/webhooks/after-attempt';
import type {
  AttemptPage,
  DeliveryQueue,
  DueAttempt,
  HeldWebhook,
  MadeAttempt,
  QueuedAttempt,
} from '@sightline/core/webhooks/delivery-queue';
import type { SecretBox } from '@sightline/core/secrets/secret-box';
import type { SendMessage, SendResult } from '@sightline/core/webhooks/send-message';
import type { DisabledReason } from '@sightline/core/webhooks/webhook';
import type { DispatcherObserver } from './dispatcher-metrics.ts';
import { type StartedAttempt, FirstAttempts } from './first-attempts.ts';
import { HOLD_LIFE, type HoldEvent, type HoldPhase } from './hold-life.ts';
import { firstAttemptOf, queuedAttemptOf } from './message-of.ts';
import {
  afterEvents,
  afterQueued,
  startReading,
  pageFor,
  type Reading,
  supplyOf,
} from './reading.ts';

export interface WebhookSenderDeps {
  readonly queue: DeliveryQueue;
  readonly secrets: SecretBox;
  readonly send: SendMessage;
  readonly observer: DispatcherObserver;
  /** The bytes of messages that one webhook may have in memory. */
  readonly share: () => number;
}

/** The most requests to one webhook at a time. */
const MAX_IN_FLIGHT = 8;
/** The most repeated attempts that a hold reads. */
const REPEATED = 64;
/** Attempts that end within this time, in ms, are recorded in one transaction. */
const GATHER_MS = 100;
/**
 * How long one sender works on a webhook at most, in ms. The next sender reads the webhook's URL and secrets again,
 * so that changed ones are used.
 */
const LONGEST_HOLD_MS = 10_000;

/** Sends all due messages to one webhook while this process holds it. {@link HOLD_LIFE} has the phases of a hold. */
export class WebhookSender {
  readonly #deps: WebhookSenderDeps;
  readonly #held: HeldWebhook;
  readonly #signal: AbortSignal;
  readonly #first = new FirstAttempts();
  readonly #repeated: DueAttempt[] = [];
  readonly #inFlight = new Set<Promise<void>>();
  readonly #started = Promise.withResolvers<undefined>();
  /** Resolves when a request ends or the phase changes. */
  #changed = Promise.withResolvers<undefined>();
  #phase: HoldPhase = 'sending';
  /** The errors of sending, each of which leads to the phase `failed`. */
  readonly #errors: unknown[] = [];
  #reading: Reading;
  #hasEnded = false;
  /**
   * How many requests may be in flight: at first one, and one more after each success, because an endpoint that hangs
   * keeps each of its requests until the timeout.
   */
  #window = 1;
  #turn: HeldWebhook['turn'];
  #failures: HeldWebhook['failures'];
  /** Attempts that have ended and are not recorded in the database yet. */
  #made: MadeAttempt[] = [];
  /** The next attempts for messages whose last attempt failed. */
  #again: QueuedAttempt[] = [];
  /** Why the webhook has to be switched off; `recorded` once the database has switched it off. */
  #disabled: DisabledReason | 'recorded' | null = null;

  /** @param signal cancels the requests in flight, and prevents further requests */
  constructor(deps: WebhookSenderDeps, held: HeldWebhook, signal: AbortSignal) {
    this.#deps = deps;
    this.#held = held;
    this.#signal = signal;
    this.#failures = held.failures;
    this.#turn = held.turn;
    this.#reading = startReading(held.position);
  }

  /** Resolves once a request is in flight, and at the latest with the end of `run`. */
  get started(): Promise<undefined> {
    return this.#started.promise;
  }

  /**
   * Sends until nothing is due, and releases the webhook.
   *
   * @throws StoreUnavailable; the next process that holds the webhook then repeats the attempts that were not
   *   recorded
   */
  async run(): Promise<void> {
    try {
      await this.#run();
    } finally {
      this.#started.resolve(undefined);
    }
  }

  async #run(): Promise<void> {
    const timer = setTimeout(() => this.#on('end'), LONGEST_HOLD_MS);
    const stop = (): void => this.#on('stop');
    if (this.#signal.aborted) stop();
    this.#signal.addEventListener('abort', stop);
    try {
      await this.#send();
    } finally {
      clearTimeout(timer);
      this.#on('end');
      await Promise.all(this.#inFlight);
      this.#signal.removeEventListener('abort', stop);
    }
    await this.#record();
    if (this.#is('failed')) throw this.#errors[0];
    if (!this.#is('lost')) await this.#deps.queue.release(this.#held, this.#position());
  }

  #on(event: HoldEvent): void {
    this.#phase = HOLD_LIFE[this.#phase][event];
    this.#change();
  }

  #is(phase: HoldPhase): boolean {
    return this.#phase === phase;
  }

  async #send(): Promise<void> {
    const secrets = this.#openSecrets();
    this.#repeated.push(
      ...(await this.#deps.queue.repeated(this.#held, { ...this.#page(), limit: REPEATED })),
    );
    await this.#fill();
    this.#begin(secrets);
    while (this.#inFlight.size > 0 && this.#is('sending')) {
      await this.#gather();
      // More attempts are read and started before the ended ones are recorded, so that requests are in flight during
      // the recording.
      if (this.#is('sending')) await this.#fill();
      this.#begin(secrets);
      await this.#record();
    }
  }

  /**
   * Waits until a request ends, and then for {@link GATHER_MS}. Ends earlier if more attempts should be read, or no
   * request is left. There is no race with the requests, because those to an endpoint that hangs would keep each race in
   * memory.
   */
  async #gather(): Promise<void> {
    if (!this.#isEnough()) await this.#changed.promise;
    const pause = { isOver: false };
    const timer = setTimeout(() => {
      pause.isOver = true;
      this.#change();
    }, GATHER_MS);
    while (!pause.isOver && !this.#isEnough()) await this.#changed.promise;
    clearTimeout(timer);
  }

  #isEnough(): boolean {
    return this.#inFlight.size === 0 || !this.#is('sending') || this.#isShort();
  }

  #change(): void {
    this.#changed.resolve(undefined);
    this.#changed = Promise.withResolvers();
  }

  /** Whether so few attempts are left that the next ones should be read immediately. */
  #isShort(): boolean {
    return this.#reading.from !== 'caught up' && this.#supply() === 'low';
  }

  #supply(): ReturnType<typeof supplyOf> {
    const { size, bytes } = this.#first;
    const flows = this.#hasEnded || this.#inFlight.size < this.#window;
    return supplyOf({ size, bytes, flows }, this.#page());
  }

  #page(): AttemptPage {
    return pageFor(this.#window, this.#deps.share());
  }

  async #fill(): Promise<void> {
    if (this.#supply() !== 'low') return;
    this.#hasEnded = false;
    if (this.#reading.from === 'queue') await this.#readQueued(this.#reading.after);
    if (this.#reading.from !== 'queue') await this.#readEvents();
  }

  async #readQueued(after: EventPosition | null): Promise<void> {
    const read = await this.#deps.queue.first(this.#held, { ...this.#page(), after });
    this.#first.add(read.map(queuedAttemptOf), { areQueued: true });
    this.#reading = afterQueued(this.#reading, read);
  }

  /** Reads pages of events until a page has an event to which the webhook subscribes. */
  async #readEvents(): Promise<void> {
    do {
      const page = { ...this.#page(), after: this.#reading.outbox };
      const { events, ...read } = await this.#deps.queue.events(this.#held, page);
      this.#first.add(events.map(firstAttemptOf), { areQueued: false });
      this.#reading = afterEvents(read);
    } while (this.#reading.from === 'outbox' && this.#first.size === 0 && this.#is('sending'));
  }

  #begin(secrets: readonly string[]): void {
    while (this.#inFlight.size < this.#window && this.#is('sending')) {
      const taken = this.#take();
      if (taken === null) return;
      const attempt = this.#attempt(taken, secrets)
        .catch((error: unknown) => {
          this.#on('fail');
          this.#errors.push(error);
        })
        .finally(() => {
          this.#hasEnded = true;
          this.#inFlight.delete(attempt);
          this.#begin(secrets);
          this.#change();
        });
      this.#inFlight.add(attempt);
      this.#started.resolve(undefined);
    }
  }

  /** First and repeated attempts take turns, so that a backlog of one kind does not hold up the other kind. */
  #take(): StartedAttempt | null {
    const taken =
      this.#turn === 'first'
        ? (this.#first.take() ?? this.#takeRepeated())
        : (this.#takeRepeated() ?? this.#first.take());
    if (taken !== null) this.#turn = taken.attempt.attempt === 1 ? 'repeated' : 'first';
    return taken;
  }

  #takeRepeated(): StartedAttempt | null {
    const attempt = this.#repeated.shift();
    return attempt === undefined ? null : { attempt, wasQueued: true, end: () => undefined };
  }

  /** An attempt that is cancelled or throws is not recorded, so the next process that holds the webhook repeats it. */
  async #attempt(started: StartedAttempt, secrets: readonly string[]): Promise<void> {
    const { send, observer } = this.#deps;
    const { attempt: due } = started;
    const { position, eventId, event, attempt, body } = due;
    const startedAt = new Date();
    const { environmentId, url } = this.#held;
    const message = { environmentId, url, eventId, body, secrets };
    const result = await send(message, this.#signal);
    observer.attempted(result);
    const now = Date.now();
    this.#count(result, startedAt);
    const after = afterAttempt({ result, attempt, failures: this.#failures, now });
    if (after.next === 'disable') this.#disable(after.reason);
    const nextAttemptAt = after.next === 'pause' ? new Date(now + after.pauseMs) : null;
    const { ok, statusCode, durationMs, error } = result;
    const { wasQueued } = started;
    const about = { position, eventId, event, attempt, startedAt, nextAttemptAt, wasQueued };
    this.#made.push({ ...about, ok, statusCode, durationMs, error });
    if (nextAttemptAt !== null) {
      this.#again.push({ ...due, attempt: attempt + 1, dueAt: nextAttemptAt });
    }
    started.end();
  }

  #openSecrets(): readonly string[] {
    const { environmentId, secrets } = this.#held;
    return secrets.map((secret) => this.#deps.secrets.open(secret, environmentId));
  }

  #count({ ok }: SendResult, startedAt: Date): void {
    const { since = startedAt.getTime(), count = 0 } = this.#failures ?? {};
    this.#failures = ok ? null : { since, count: count + 1 };
    this.#window = ok ? Math.min(this.#window + 1, MAX_IN_FLIGHT) : 1;
  }

  #disable(reason: DisabledReason): void {
    this.#disabled ??= reason;
    this.#on('end');
  }

  /** The position in the outbox up to which all messages to the webhook were sent or have a row in the queue. */
  #position(): EventPosition {
    return this.#first.isDone
      ? this.#reading.outbox
      : (this.#first.furthest?.position ?? this.#held.position);
  }

  async #record(): Promise<void> {
    const made = this.#made;
    if (made.length === 0 || this.#is('lost')) return;
    const now = new Date();
    const passed = this.#first.passed().map((attempt) => ({ ...attempt, dueAt: now }));
    const queued = this.#disabled === 'recorded' ? [] : [...this.#again, ...passed];
    this.#made = [];
    this.#again = [];
    const { queue, observer } = this.#deps;
    const disabled = this.#disabled === 'recorded' ? null : this.#disabled;
    const record = { made, queued, position: this.#position(), disabled };
    if (!(await queue.record(this.#held, record))) this.#on('lose');
    else if (disabled !== null) {
      this.#disabled = 'recorded';
      observer.switchedOff(disabled);
    }
  }
}
