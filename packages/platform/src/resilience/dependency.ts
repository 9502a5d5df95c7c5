import { errorCode } from '../errors/error-codes.ts';
import { type CircuitEvent, type CircuitState, nextState, passesRequests } from './circuit.ts';
import { type Clock, systemClock } from './clock.ts';
import type { Guard, RequireAnswer } from './guard.ts';
import { InFlightRequests } from './in-flight-requests.ts';
import { orAbort } from './or-abort.ts';
import { type Ping, type PingOutcome, timePing } from './time-ping.ts';

/** The state of an external service. `failing`: requests fail immediately. `hanging`: requests get no answer. */
export type DependencyState = 'available' | 'failing' | 'hanging';

export interface DependencyStatus {
  readonly name: string;
  readonly state: DependencyState;
}

/** Receives the initial state and every change of the state. */
export interface DependencyObserver {
  stateChanged(status: DependencyStatus): void;
}

export interface OutageLogger {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface DependencyOptions {
  /** One word, for logs and metrics. */
  readonly name: string;
  readonly ping: Ping;
  /** Creates the error that callers get while the service is down. */
  readonly unavailable: (cause: unknown) => Error;
  /** Whether an error means that the service is down. Any other error counts as an answer of the service. */
  readonly isFailure: (error: unknown) => boolean;
  readonly logger: OutageLogger;
  readonly observer?: DependencyObserver;
  readonly clock?: Clock;
}

/** The cause of the error that callers get if the service hangs. The code has the form of a system error's code. */
export class ServiceHangs extends Error {
  readonly code = 'HANGS';
}

/** The number of consecutive failed requests that opens the circuit. */
export const FAILURE_THRESHOLD = 5;
/**
 * The time without answers before a ping is sent while requests are in flight, in ms. It is also the time for which
 * an answer counts as recent.
 */
export const QUIET_MS = 300;
/** The time without answers before a ping is sent while no request is in flight, in ms. */
export const IDLE_MS = 10_000;
/** The timeout of a ping, in ms. */
export const PING_LIMIT_MS = 1_000;
/** The timeout of the second ping after an inconclusive ping, in ms. */
const SECOND_LIMIT_MS = 400;
/** The pause after an inconclusive ping, in ms. */
const SUSPECT_PAUSE_MS = 50;
/** The pause between two pings while the circuit is open, in ms. */
export const OPEN_PAUSE_MS = 500;

/**
 * An external service behind a circuit breaker. While the circuit is open, requests of callers are not sent, and only
 * an answered ping closes the circuit again.
 *
 * A hanging service cannot be recognized by its connections, which stay open, or by a timeout of requests, because
 * large requests may take long. Therefore the dependency pings the service when requests are in flight and the
 * service has answered none for QUIET_MS. If the ping is not answered within a second, all requests in flight fail,
 * about 1.4 s after the last answer. An answer to any request cancels the ping.
 *
 * A failed ping is inconclusive if it fails at once, because the service may just have closed the connection. A missed
 * ping is inconclusive if the process or the machine lacked CPU time (see `timePing`). A second ping then decides.
 */
export class Dependency implements Disposable {
  /** Runs an operation. Throws the error of `unavailable` while the circuit is open or when the service hangs. */
  readonly guard: Guard = (operation, signal) => this.#guard(operation, signal);
  /**
   * Checks the service. An answer within the last QUIET_MS suffices unless a failure followed. Concurrent callers
   * share a ping.
   */
  readonly requireAnswer: RequireAnswer = (signal) => this.#requireAnswer(signal);
  readonly #options: DependencyOptions;
  readonly #clock: Clock;
  readonly #inFlight: InFlightRequests;
  #circuit: CircuitState = 'closed';
  #cause: unknown;
  #openedAt = 0;
  /** The number of failed requests since the last answer. */
  #failures = 0;
  /**
   * The time from which the wait until the next ping is counted, in ms on the clock. It is set at each answer, ping
   * result and change of the state, and when a request starts while no other is in flight.
   */
  #quietSince: number;
  /** The time of the service's last answer, in ms on the clock; null after a failure. */
  #answeredAt: number | null = null;
  #answers = 0;
  /** Resolves to whether the service answers; null while no caller of `requireAnswer` waits. */
  #availability: PromiseWithResolvers<boolean> | null = null;
  /** Cancels the ping in flight; null if no ping is in flight. */
  #abandonPing: (() => void) | null = null;
  #cancelTimer: () => void = () => undefined;
  #disposed = false;

  constructor(options: DependencyOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#quietSince = this.#clock.now();
    this.#inFlight = new InFlightRequests(options.isFailure);
    options.observer?.stateChanged(this.status());
    this.#schedulePing();
  }

  status(): DependencyStatus {
    return { name: this.#options.name, state: this.#state };
  }

  [Symbol.dispose](): void {
    this.#disposed = true;
    this.#cancelTimer();
    this.#abandonPing?.();
    this.#tellWaiters(false);
  }

  get #state(): DependencyState {
    if (passesRequests(this.#circuit)) return 'available';
    return this.#cause instanceof ServiceHangs ? 'hanging' : 'failing';
  }

  async #guard<T>(
    operation: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    signal?.throwIfAborted();
    if (!passesRequests(this.#circuit)) throw this.#unavailable();
    const running = this.#inFlight.run(operation, signal);
    if (this.#inFlight.count === 1) this.#beginSilence();
    const outcome = await running;
    if (outcome.kind === 'failed') this.#requestFailed(outcome.error);
    else if (outcome.kind !== 'aborted') this.#requestAnswered();
    if (outcome.kind === 'answered') return outcome.value;
    throw outcome.error;
  }

  async #requireAnswer(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#disposed || !passesRequests(this.#circuit)) throw this.#unavailable();
    if (this.#answeredAt !== null && this.#clock.now() - this.#answeredAt < QUIET_MS) return;
    this.#availability ??= Promise.withResolvers();
    const { promise } = this.#availability;
    // A ping is sent at once only in the state `closed`. In the state `suspect`, a second ping is already scheduled.
    if (this.#abandonPing === null && this.#circuit === 'closed') void this.#ping();
    if (!(await orAbort(promise, signal))) throw this.#unavailable();
  }

  #unavailable(): Error {
    return this.#options.unavailable(this.#cause);
  }

  #requestFailed(error: unknown): void {
    this.#answeredAt = null;
    this.#failures += 1;
    if (this.#failures >= FAILURE_THRESHOLD) this.#apply('requests-failed', error);
  }

  #requestAnswered(): void {
    this.#answers += 1;
    // While the circuit is open, the answer is ignored, because the request was sent before the circuit opened.
    if (!passesRequests(this.#circuit)) return;
    this.#quietSince = this.#clock.now();
    this.#abandonPing?.();
    this.#answered('request-answered');
  }

  #answered(event: CircuitEvent): void {
    this.#apply(event);
    this.#failures = 0;
    this.#answeredAt = this.#clock.now();
    this.#tellWaiters(true);
  }

  #tellWaiters(available: boolean): void {
    this.#availability?.resolve(available);
    this.#availability = null;
  }

  #beginSilence(): void {
    this.#quietSince = this.#clock.now();
    if (this.#abandonPing === null) this.#schedulePing();
  }

  #schedulePing(): void {
    if (this.#disposed) return;
    this.#cancelTimer();
    const wait = Math.max(0, this.#pingAt() - this.#clock.now());
    this.#cancelTimer = this.#clock.after(wait, () => this.#pingIfDue());
  }

  #pingAt(): number {
    return this.#quietSince + this.#pauseMs();
  }

  #pauseMs(): number {
    if (!passesRequests(this.#circuit)) return OPEN_PAUSE_MS;
    if (this.#circuit === 'suspect') return SUSPECT_PAUSE_MS;
    return this.#inFlight.count > 0 ? QUIET_MS : IDLE_MS;
  }

  /**
   * Sends a ping if it is due, and reschedules the timer otherwise. Each answer delays the ping, but setting a new
   * timer per answer would be slower than this check.
   */
  #pingIfDue(): void {
    if (this.#abandonPing !== null) return;
    if (this.#pingAt() > this.#clock.now()) this.#schedulePing();
    else void this.#ping();
  }

  async #ping(): Promise<void> {
    const limitMs = this.#circuit === 'suspect' ? SECOND_LIMIT_MS : PING_LIMIT_MS;
    const { outcome, abandon } = timePing(this.#options.ping, { clock: this.#clock, limitMs });
    const answersBefore = this.#answers;
    this.#abandonPing = abandon;
    this.#apply('ping-sent');
    const result = await outcome;
    this.#abandonPing = null;
    if (result.kind !== 'abandoned') this.#judge(result, this.#answers === answersBefore);
    this.#schedulePing();
  }

  /** @param isSilent whether the service has answered no request since the ping was sent */
  #judge(result: SettledPing, isSilent: boolean): void {
    this.#quietSince = this.#clock.now();
    const error = failureOf(result, this.#options.isFailure);
    if (error === null) {
      this.#answered('ping-answered');
      return;
    }
    this.#answeredAt = null;
    this.#apply(isInconclusive(result) ? 'ping-inconclusive' : 'ping-failed', error);
    if (isSilent && !passesRequests(this.#circuit)) {
      this.#inFlight.failAll(() => this.#options.unavailable(error));
    }
  }

  #apply(event: CircuitEvent, cause?: unknown): void {
    const passed = passesRequests(this.#circuit);
    this.#circuit = nextState(this.#circuit, event);
    const passes = passesRequests(this.#circuit);
    if (passed && !passes) this.#opened(cause);
    if (!passed && passes) this.#closed();
  }

  #opened(cause: unknown): void {
    this.#cause = cause;
    this.#openedAt = this.#clock.now();
    this.#answeredAt = null;
    this.#stateChanged();
    this.#tellWaiters(false);
    const { name, logger } = this.#options;
    const facts = { dependency: name, state: this.#state, code: errorCode(cause) };
    logger.warn(facts, 'a service that this process needs became unavailable');
  }

  #closed(): void {
    const seconds = Math.round((this.#clock.now() - this.#openedAt) / 100) / 10;
    this.#stateChanged();
    const { name, logger } = this.#options;
    logger.info(
      { dependency: name, seconds },
      'a service that this process needs became available again',
    );
  }

  #stateChanged(): void {
    this.#options.observer?.stateChanged(this.status());
    this.#beginSilence();
  }
}

type SettledPing = Exclude<PingOutcome, { kind: 'abandoned' }>;

/** The failure that a ping has shown; null if the service works. */
function failureOf(result: SettledPing, isFailure: (error: unknown) => boolean): Error | null {
  if (result.kind === 'missed') return new ServiceHangs('The service does not answer.');
  if (result.kind === 'answered' || !isFailure(result.error)) return null;
  return result.error instanceof Error ? result.error : new Error('', { cause: result.error });
}

function isInconclusive(result: SettledPing): boolean {
  return result.kind === 'failed' || (result.kind === 'missed' && result.starved);
}
