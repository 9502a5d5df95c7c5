import { errorCode } from '../logging/error-codes.ts';
import type { Logger } from '../logging/logger.ts';
import { AwaitedWord } from './awaited-word.ts';
import { Circuit, type Outcome } from './circuit.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Guard, RequireAnswer } from './guard.ts';
import { RequestsUnderWay } from './requests-under-way.ts';
import { type Ping, type PingOutcome, timePing } from './time-ping.ts';

/** `failing`: requests fail at once. `hanging`: nothing comes back. */
export type DependencyState = 'available' | 'failing' | 'hanging';

export interface DependencyStatus {
  readonly name: string;
  readonly state: DependencyState;
}

/** Told of the first state and of every change. */
export interface DependencyObserver {
  stateChanged(status: DependencyStatus): void;
}

export interface DependencyOptions {
  /** One word, for logs and metrics. */
  readonly name: string;
  /** A trivial request. It must not wait for connections that other requests hold. */
  readonly ping: Ping;
  /** Makes the error that callers see while the service is down. */
  readonly unavailable: (cause: unknown) => Error;
  /** Whether an error says that the service is down; others are answers of a service that works. */
  readonly isFailure: (error: unknown) => boolean;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
  readonly observer?: DependencyObserver;
  readonly clock?: Clock;
}

/** That a service has stopped to answer, as a cause: it looks like an error of the system. */
export class ServiceHangs extends Error {
  readonly code = 'HANGS';
}

/** Failures in a row that open the circuit. */
export const FAILURES_IN_A_ROW = 5;
/** Silence after which a service that owes answers, or is asked for one, is pinged, in ms. */
export const QUIET_MS = 300;
/** Silence after which a service of which nobody wants anything is pinged, in ms. */
export const IDLE_MS = 10_000;
/** Time for the answer to a ping, in ms. */
export const PING_LIMIT_MS = 1_000;
/** The same for a ping that follows one which left doubts. */
const SECOND_LIMIT_MS = 400;
/** Pause after a ping that left doubts, in ms. */
const DOUBT_MS = 50;
/** Pause between two pings while the circuit is open, in ms. */
export const PAUSE_MS = 500;

/**
 * One service outside of this process, and whether it answers. Its guard lets requests through while
 * it does, and none while it does not; whether it answers again is found out by pings alone.
 *
 * A service that hangs keeps its connections and takes new ones, and large or slow requests have no
 * time limit that would tell. So whoever waits is watched over: once no answer at all has come from
 * the service for a moment, it is pinged, and if nothing comes of that within a second, all who wait
 * are told: about 1.4 s after the last sign of life. Whatever else the service answers meanwhile
 * makes the ping moot, and the silence begins anew.
 *
 * Two pings in a row are needed where one may mislead: when it failed at once, as a connection may
 * just have been closed, and when this process or the machine had too little time to be sure (see
 * timePing).
 */
export class Dependency implements Disposable {
  /** Throws `unavailable` at once while the circuit is open, and when the service hangs. */
  readonly guard: Guard = (operation, signal) => this.#guard(operation, signal);
  /**
   * For whoever is going to need the service later. What was answered a moment ago counts, unless
   * something has failed since; else all who ask at the same time wait for one ping, with a second one
   * where that leaves doubts.
   */
  readonly requireAnswer: RequireAnswer = (signal) => this.#requireAnswer(signal);
  readonly #options: DependencyOptions;
  readonly #clock: Clock;
  readonly #circuit: Circuit;
  readonly #underWay: RequestsUnderWay;
  readonly #word = new AwaitedWord();
  #state: DependencyState = 'available';
  #cause: unknown;
  #changedAt: number;
  /** When the present silence, or the present pause, began. */
  #quietSince: number;
  /** When the service answered last; null if something has failed since. */
  #answeredAt: number | null = null;
  /** How many answers there were. */
  #answers = 0;
  /** Whether the last ping was one that may mislead. */
  #inDoubt = false;
  /** Gives up the ping that is under way; null if there is none. */
  #abandonPing: (() => void) | null = null;
  #cancelBeat: () => void = () => undefined;
  #disposed = false;

  constructor(options: DependencyOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#changedAt = this.#clock.now();
    this.#quietSince = this.#changedAt;
    this.#underWay = new RequestsUnderWay(options.isFailure);
    this.#circuit = new Circuit(FAILURES_IN_A_ROW, {
      opened: (cause) => this.#wentDown(cause),
      closed: () => this.#cameBack(),
    });
    options.observer?.stateChanged(this.status());
    this.#planBeat();
  }

  status(): DependencyStatus {
    return { name: this.#options.name, state: this.#state };
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    this.#cancelBeat();
    this.#abandonPing?.();
    this.#word.fails(() => this.#options.unavailable(this.#cause));
  }

  async #guard<T>(
    operation: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    signal?.throwIfAborted();
    if (!this.#circuit.closed) throw this.#options.unavailable(this.#cause);
    return this.#circuit.run(async () => {
      const running = this.#underWay.run(operation, signal);
      if (this.#underWay.count === 1) this.#beginSilence();
      const outcome = await running;
      if (outcome.kind === 'answered' || outcome.kind === 'refused') this.#heard();
      if (outcome.kind === 'failed') this.#answeredAt = null;
      return outcome;
    });
  }

  async #requireAnswer(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#disposed || !this.#circuit.closed) throw this.#options.unavailable(this.#cause);
    if (this.#answeredAt !== null && this.#clock.now() - this.#answeredAt < QUIET_MS) return;
    const word = this.#word.wait(signal);
    // A ping that left doubts is followed by another one anyway.
    if (this.#abandonPing === null && !this.#inDoubt) void this.#ping();
    await word;
  }

  #beginSilence(): void {
    this.#quietSince = this.#clock.now();
    if (this.#abandonPing === null) this.#planBeat();
  }

  /** While the circuit is open an answer to a request of before changes nothing. */
  #heard(): void {
    this.#answers += 1;
    if (!this.#circuit.closed) return;
    this.#inDoubt = false;
    this.#quietSince = this.#clock.now();
    this.#abandonPing?.();
    this.#answered();
  }

  #answered(): void {
    this.#answeredAt = this.#clock.now();
    this.#word.answers();
  }

  #planBeat(): void {
    if (this.#disposed) return;
    this.#cancelBeat();
    const wait = Math.max(0, this.#beatAt() - this.#clock.now());
    this.#cancelBeat = this.#clock.after(wait, () => this.#beat());
  }

  #beatAt(): number {
    return this.#quietSince + this.#silenceMs();
  }

  #silenceMs(): number {
    if (!this.#circuit.closed) return PAUSE_MS;
    if (this.#inDoubt) return DOUBT_MS;
    return this.#underWay.count > 0 ? QUIET_MS : IDLE_MS;
  }

  /** Answers put the beat off, which is not worth a new timer for each of them. */
  #beat(): void {
    if (this.#abandonPing !== null) return;
    if (this.#beatAt() > this.#clock.now()) this.#planBeat();
    else void this.#ping();
  }

  async #ping(): Promise<void> {
    const limitMs = this.#inDoubt ? SECOND_LIMIT_MS : PING_LIMIT_MS;
    const timed = timePing(this.#options.ping, { clock: this.#clock, limitMs });
    const before = this.#answers;
    this.#abandonPing = timed.abandon;
    const judge = async () => this.#judge(await timed.outcome, this.#answers === before);
    if (this.#circuit.closed) await this.#circuit.run(judge).catch(() => undefined);
    else await this.#circuit.probe(judge);
    this.#abandonPing = null;
    this.#planBeat();
  }

  /** @param silent whether nothing else has come from the service since the ping was sent */
  #judge(outcome: PingOutcome, silent: boolean): Outcome<void> {
    if (outcome.kind === 'abandoned') return { kind: 'aborted', error: undefined };
    this.#quietSince = this.#clock.now();
    const error = failureOf(outcome, this.#options.isFailure);
    const inDoubt = this.#inDoubt;
    this.#inDoubt = false;
    if (error === null) {
      this.#answered();
      return { kind: 'answered', value: undefined };
    }
    this.#answeredAt = null;
    if (this.#circuit.closed && !inDoubt && isDoubtful(outcome)) {
      this.#inDoubt = true;
      return { kind: 'aborted', error };
    }
    this.#circuit.trip(error);
    if (silent) this.#underWay.cutAll(() => this.#options.unavailable(error));
    return { kind: 'failed', error };
  }

  #wentDown(cause: unknown): void {
    this.#cause = cause;
    this.#answeredAt = null;
    this.#change(cause instanceof ServiceHangs ? 'hanging' : 'failing');
    this.#word.fails(() => this.#options.unavailable(cause));
    const { name, logger } = this.#options;
    const facts = { dependency: name, state: this.#state, code: errorCode(cause) };
    logger.warn(facts, 'a service that this process needs is not available');
  }

  #cameBack(): void {
    const seconds = Math.round((this.#clock.now() - this.#changedAt) / 100) / 10;
    this.#change('available');
    const { name, logger } = this.#options;
    logger.info({ dependency: name, seconds }, 'a service that this process needs answers again');
  }

  #change(state: DependencyState): void {
    this.#state = state;
    this.#changedAt = this.#clock.now();
    this.#quietSince = this.#changedAt;
    this.#options.observer?.stateChanged(this.status());
    if (this.#abandonPing === null) this.#planBeat();
  }
}

/** What a ping says against the service; null if it shows that the service works. */
function failureOf(
  outcome: Exclude<PingOutcome, { kind: 'abandoned' }>,
  isFailure: (error: unknown) => boolean,
): Error | null {
  if (outcome.kind === 'missed') return new ServiceHangs('The service does not answer.');
  if (outcome.kind === 'answered' || !isFailure(outcome.error)) return null;
  return outcome.error instanceof Error ? outcome.error : new Error('', { cause: outcome.error });
}

function isDoubtful(outcome: PingOutcome): boolean {
  return outcome.kind === 'failed' || (outcome.kind === 'missed' && outcome.starved);
}
