import { isProblem, isTemporary, ProblemError } from '../../client/api-error.ts';
import type { OperationBody, OperationInput } from '../../client/operations.ts';

export type Changes = OperationBody<'listChanges'>;
export type Change = Changes['changes'][number];
export type ChangesQuery = NonNullable<OperationInput<'listChanges'>['query']>;

/** The most changes that are kept, and the number of earlier ones that are read first. */
export const MOST_KEPT = 1_000;
const FIRST_READ = 100;

/** The longest time that the service holds an answer, in seconds. */
const WAIT_SECONDS = 25;
/** An answer without changes in less time means that too many requests wait already, in ms. */
const EARLY_MS = 1_000;
/** The pause after such an answer, in ms. */
const CROWDED_MS = 3_000;
const LONGEST_PAUSE_MS = 30_000;

export interface FeedState {
  readonly phase: 'stopped' | 'starting' | 'following' | 'failed';
  /** The changes, the newest first. */
  readonly changes: readonly Change[];
  /** `since` of the next request; null before the first answer. */
  readonly cursor: number | null;
  /** The number of changes that were passed over, because there were too many of them. */
  readonly skipped: number;
  /** The reason of the failure; null unless the phase is `failed`. */
  readonly error: Error | null;
}

export interface ChangeFeedOptions {
  readonly read: (query: ChangesQuery, signal: AbortSignal) => Promise<Changes>;
  /** Waits for a time in ms, or until the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** The current time, in ms. */
  readonly now?: () => number;
}

/** Follows the changes of an environment while it is started. */
export class ChangeFeed {
  readonly #options: ChangeFeedOptions;
  readonly #now: () => number;
  readonly #listeners = new Set<() => void>();
  #running: AbortController | null = null;
  #state: FeedState = { phase: 'stopped', changes: [], cursor: null, skipped: 0, error: null };

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  get state(): FeedState {
    return this.#state;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  start(): void {
    if (this.#running !== null) return;
    this.#running = new AbortController();
    this.#set({ phase: 'starting', error: null });
    void this.#run(this.#running.signal);
  }

  stop(): void {
    this.#running?.abort();
    this.#running = null;
    this.#set({ phase: 'stopped' });
  }

  /** Reads again at once after a failure. */
  retry(): void {
    this.stop();
    this.start();
  }

  async #run(signal: AbortSignal): Promise<void> {
    for (let failures = 0; !isOver(signal); failures++) {
      try {
        await this.#begin(signal);
        for (; !isOver(signal); failures = 0) await this.#readNext(signal);
      } catch (error) {
        if (isOver(signal)) return;
        this.#set({ phase: 'failed', error: error as Error });
        // A person who signs in again has the changes without a further step.
        if (!isTemporary(error) && !isProblem(error, 'unauthenticated')) return;
        await this.#options.pause(pauseAfter(error, failures), signal);
      }
    }
  }

  /** Finds the change after which to begin. Changes that would not be kept are passed over. */
  async #begin(signal: AbortSignal): Promise<void> {
    const { next_cursor: head } = await this.#options.read({ since: 'latest' }, signal);
    if (signal.aborted) return;
    const { cursor, skipped } = this.#state;
    const first = Math.max(0, head - (cursor === null ? FIRST_READ : MOST_KEPT));
    const next = cursor === null ? first : Math.max(cursor, first);
    this.#set({ cursor: next, skipped: skipped + (cursor === null ? 0 : next - cursor) });
  }

  async #readNext(signal: AbortSignal): Promise<void> {
    const began = this.#now();
    const since = this.#state.cursor ?? 0;
    // The first answer comes at once, so that the page says that it follows.
    const wait = this.#state.phase === 'following' ? WAIT_SECONDS : 0;
    const answer = await this.#options.read({ since, wait, limit: 200 }, signal);
    if (signal.aborted) return;
    const changes = [...answer.changes.toReversed(), ...this.#state.changes].slice(0, MOST_KEPT);
    this.#set({ phase: 'following', error: null, cursor: answer.next_cursor, changes });
    const isEarly = wait > 0 && answer.changes.length === 0 && this.#now() - began < EARLY_MS;
    if (isEarly) await this.#options.pause(CROWDED_MS, signal);
  }

  #set(changed: Partial<FeedState>): void {
    this.#state = { ...this.#state, ...changed };
    for (const listener of this.#listeners) listener();
  }
}

/** Whether the feed was stopped, which may happen while a request waits. */
function isOver({ aborted }: AbortSignal): boolean {
  return aborted;
}

function pauseAfter(error: unknown, failures: number): number {
  const requested = error instanceof ProblemError ? error.retryAfter : null;
  const ms = requested === null ? 1_000 * 2 ** failures : requested * 1_000;
  return Math.min(ms, LONGEST_PAUSE_MS);
}
