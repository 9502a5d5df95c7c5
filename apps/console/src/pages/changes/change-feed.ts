import { isProblem, isTemporary } from '../../client/api-error.ts';
import {
  type Change,
  type Changes,
  followChanges,
  type FollowOptions,
} from '../../live/follow-changes.ts';

/** The most changes that are kept, and the number of earlier ones that are read first. */
export const MOST_KEPT = 1_000;
const FIRST_READ = 100;

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

/** Keeps the changes of an environment while it is started. */
export class ChangeFeed {
  readonly #options: Pick<FollowOptions, 'read' | 'wait' | 'now'>;
  readonly #listeners = new Set<() => void>();
  #running: AbortController | null = null;
  #state: FeedState = { phase: 'stopped', changes: [], cursor: null, skipped: 0, error: null };

  constructor(options: Pick<FollowOptions, 'read' | 'wait' | 'now'>) {
    this.#options = options;
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
    void followChanges({
      ...this.#options,
      begin: (latest) => this.#begin(latest),
      onChanges: (answer) => this.#add(answer),
      onFailure: (error) => {
        this.#set({ phase: 'failed', error });
        // A person who signs in again has the changes without a further step.
        return isTemporary(error) || isProblem(error, 'unauthenticated');
      },
      signal: this.#running.signal,
    });
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

  /** Finds the change after which to read. Changes that would not be kept are passed over. */
  #begin(latest: number): number {
    const { cursor, skipped } = this.#state;
    const first = Math.max(0, latest - (cursor === null ? FIRST_READ : MOST_KEPT));
    const next = cursor === null ? first : Math.max(cursor, first);
    this.#set({ cursor: next, skipped: skipped + (cursor === null ? 0 : next - cursor) });
    if (next === latest) this.#set({ phase: 'following', error: null });
    return next;
  }

  #add({ changes: added, next_cursor: cursor }: Changes): void {
    const changes = [...added.toReversed(), ...this.#state.changes].slice(0, MOST_KEPT);
    this.#set({ phase: 'following', error: null, cursor, changes });
  }

  #set(changed: Partial<FeedState>): void {
    this.#state = { ...this.#state, ...changed };
    for (const listener of this.#listeners) listener();
  }
}
