import { randomId } from '../client/random-id.ts';
import {
  answer,
  beginSending,
  decide,
  type Decision,
  decisionsToSend,
  type DecisionState,
  forgetDecided,
  forgetOperation,
  initialDecisions,
  markSent,
  postpone,
  refuse,
  type SeenState,
  takeBack,
  type Verdict,
} from './decision-state.ts';

/** The result of a decision: carried out, decided about elsewhere before, or refused. */
export type Outcome =
  | { readonly kind: 'done' }
  | { readonly kind: 'elsewhere' }
  | { readonly kind: 'refused'; readonly error: Error };

export interface DecisionQueueOptions {
  /**
   * Sends a decision.
   *
   * @param begin is called right before the request that carries it out, and throws if the person has taken it back
   * @returns the operation that the decision was; null if it changed nothing
   */
  readonly send: (decision: Decision, begin: () => void) => Promise<number | null>;
  /** The kind of a failure: a number of seconds after which the request is sent again, or the result of the decision. */
  readonly judge: (error: unknown, failures: number) => number | 'elsewhere' | 'refused';
  /** Keeps the decisions without an answer beyond a reload. */
  readonly store: (unanswered: readonly Decision[]) => void;
  readonly stored: readonly Decision[];
  readonly createId?: () => string;
  readonly wait?: (ms: number) => Promise<void>;
  readonly now?: () => number;
}

export interface QueueProgress {
  readonly unanswered: number;
  /** The failure because of which the queue waits; null while it sends. */
  readonly obstacle: unknown;
  /** Decisions per second of late; null if there are too few. */
  readonly rate: number | null;
}

/** The number of decisions from which the rate is computed, and the time after which it is forgotten, in ms. */
const RATED = 20;
const RATED_MS = 30_000;

type EndListener = (decision: Decision, outcome: Outcome) => void;

/** Sends decisions while the person goes on deciding. No decision is lost while the service does not answer. */
export class DecisionQueue {
  readonly #options: DecisionQueueOptions;
  readonly #listeners = new Set<() => void>();
  readonly #endListeners = new Set<EndListener>();
  #state: DecisionState;
  #progress: QueueProgress;
  #obstacle: unknown = null;
  #failures = 0;
  #isStopped = false;
  #times: readonly number[] = [];

  constructor(options: DecisionQueueOptions) {
    this.#options = options;
    this.#state = initialDecisions(options.stored);
    this.#progress = { unanswered: options.stored.length, obstacle: null, rate: null };
  }

  get state(): DecisionState {
    return this.#state;
  }

  get progress(): QueueProgress {
    return this.#progress;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Calls the listener with each decision that has got its result. */
  readonly onEnd = (listener: EndListener): (() => void) => {
    this.#endListeners.add(listener);
    return () => this.#endListeners.delete(listener);
  };

  /** Begins to send, also what an earlier page has stored. */
  readonly start = (): (() => void) => {
    this.#isStopped = false;
    this.#send();
    return () => {
      this.#isStopped = true;
    };
  };

  /** @returns the id of the decision */
  decide(face: number, verdict: Verdict, seen: SeenState): string {
    const id = this.#newId();
    this.#times = [...this.#times, this.#now()].slice(-RATED);
    this.#set(decide(this.#state, { id, face, verdict, seen, wasSent: false }));
    this.#send();
    return id;
  }

  takeBack(id: string, face: number): void {
    this.#set(takeBack(this.#state, { id, face, undoId: this.#newId() }));
    this.#send();
  }

  /** The decision stands, because it can no longer be taken back. */
  forgetOperation(id: string): void {
    this.#set(forgetOperation(this.#state, id));
  }

  /** The list of faces is read again, so the service's list says which of them wait. */
  forgetDecided(): void {
    this.#set(forgetDecided(this.#state));
  }

  /** Sends at once what waits for the service, with short pauses if it fails again. */
  readonly wake = (): void => {
    this.#failures = 0;
    this.#goOn();
  };

  #goOn(): void {
    this.#obstacle = null;
    this.#set(this.#state);
    this.#send();
  }

  #send(): void {
    if (this.#obstacle !== null || this.#isStopped) return;
    for (const decision of decisionsToSend(this.#state)) {
      this.#set(beginSending(this.#state, decision.id));
      void this.#sendOne(decision);
    }
  }

  async #sendOne(decision: Decision): Promise<void> {
    const { send, judge } = this.#options;
    try {
      const operationId = await send(decision, () => this.#begin(decision));
      this.#failures = 0;
      this.#end(decision, { kind: 'done' }, answer(this.#state, decision.id, operationId));
    } catch (error) {
      if (error instanceof TakenBackError) return;
      const result = judge(error, this.#failures);
      if (typeof result === 'number') {
        this.#set(postpone(this.#state, decision.id));
        await this.#rest(error, result);
      } else if (result === 'elsewhere') {
        this.#end(decision, { kind: 'elsewhere' }, answer(this.#state, decision.id, null));
      } else {
        const reason = error instanceof Error ? error : new Error(String(error));
        const next = refuse(this.#state, decision.id, reason);
        this.#end(decision, { kind: 'refused', error: reason }, next);
      }
    }
    this.#send();
  }

  #begin({ id }: Decision): void {
    if (!this.#state.unanswered.some((each) => each.id === id)) throw new TakenBackError();
    this.#set(markSent(this.#state, id));
  }

  #end(decision: Decision, outcome: Outcome, next: DecisionState): void {
    this.#set(next);
    for (const listener of this.#endListeners) listener(decision, outcome);
  }

  /** The next decision would meet the same obstacle, so all wait. */
  async #rest(error: unknown, seconds: number): Promise<void> {
    if (this.#obstacle !== null) return;
    this.#failures += 1;
    this.#obstacle = error;
    this.#set(this.#state);
    await (this.#options.wait ?? sleep)(seconds * 1000);
    if (this.#obstacle === error) this.#goOn();
  }

  #set(state: DecisionState): void {
    if (state.unanswered !== this.#state.unanswered) this.#options.store(state.unanswered);
    this.#state = state;
    this.#progress = {
      unanswered: state.unanswered.length,
      obstacle: this.#obstacle,
      rate: this.#rate(),
    };
    for (const listener of this.#listeners) listener();
  }

  #rate(): number | null {
    const first = this.#times[0];
    const last = this.#times.at(-1);
    if (first === undefined || last === undefined || last === first) return null;
    if (this.#now() - last > RATED_MS) return null;
    return ((this.#times.length - 1) * 1000) / (last - first);
  }

  #newId(): string {
    return (this.#options.createId ?? randomId)();
  }

  #now(): number {
    return (this.#options.now ?? (() => performance.now()))();
  }
}

/** The person has taken the decision back before it was sent. */
class TakenBackError extends Error {
  override readonly name = 'TakenBackError';
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
