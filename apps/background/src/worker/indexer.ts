import { setTimeout as sleep } from 'node:timers/promises';
import type { HeldLease } from '@sightline/core/leases/lease';
import { withHeartbeat } from '@sightline/core/leases/with-heartbeat';
import type { ChangeLog } from '@sightline/core/vectors/change-log';
import { indexChanges } from '@sightline/core/vectors/index-changes';
import type { IndexSource } from '@sightline/core/vectors/index-source';
import { rebuildIndex } from '@sightline/core/vectors/rebuild-index';
import type { VectorIndex } from '@sightline/core/vectors/vector-index';
import type { Logger } from '@sightline/platform/logging/logger';
import type { WorkerObserver } from './worker-observer.ts';

export interface IndexerDeps {
  readonly source: IndexSource;
  readonly changeLog: ChangeLog;
  readonly index: VectorIndex;
  /** The lease of this index, which lasts longer than {@link HEARTBEAT_MS}. */
  readonly lease: HeldLease;
  /** The number of vectors that the index is meant for; any number if absent. */
  readonly meantFor?: number | undefined;
  readonly observer: Pick<WorkerObserver, 'indexFilling'>;
  readonly logger: Logger;
}

/**
 * The state of the index, as this process sees it:
 *
 * - `elsewhere`: another process maintains the index.
 * - `unavailable`: the index does not answer.
 * - `unfilled`: the index must be rebuilt, because it is incomplete, its reader is not registered, or a rebuild was
 *   requested.
 * - `current`: the index only needs the latest changes.
 */
type State = 'elsewhere' | 'unavailable' | 'unfilled' | 'current';

/** The time between two checks of the lease, the index and its reader, in ms. */
const HEARTBEAT_MS = 5_000;
const POLL_MS = 100;

/**
 * Keeps one vector index in step with the database, and fills the index when needed. Only the process that holds the
 * lease does this. Calls within one process run one after the other.
 */
export class Indexer {
  readonly #deps: IndexerDeps;
  #last: Promise<unknown> = Promise.resolve();
  #state: State | null = null;
  #checkedAt = -Infinity;

  constructor(deps: IndexerDeps) {
    this.#deps = deps;
  }

  /** Whether, at the last check, the index was complete and this process maintained it. */
  keeps(): boolean {
    return this.#state === 'current';
  }

  /**
   * Fills the index, or applies a batch of changes. Returns whether more may be pending.
   *
   * @throws StoreUnavailable, VectorsUnavailable; the signal's reason on abort
   */
  next(signal: AbortSignal): Promise<boolean> {
    return this.#inTurn(async () => {
      const state = await this.#check(signal);
      if (state === 'current') return indexChanges(this.#deps, signal);
      if (state === 'unfilled') await this.#fill(signal);
      return state === 'unfilled';
    });
  }

  /** Applies every change that is pending now, if this process maintains the index. */
  async catchUp(signal: AbortSignal): Promise<void> {
    while (await this.next(signal));
  }

  /**
   * Resolves when the index is complete. Callers use this only for an index in the memory of this process: while
   * another process maintains the index, this does not resolve.
   */
  async fill(signal: AbortSignal): Promise<void> {
    while (!(await this.#inTurn(() => this.#fillIfNeeded(signal)))) {
      await sleep(POLL_MS, undefined, { signal });
    }
  }

  async #fillIfNeeded(signal: AbortSignal): Promise<boolean> {
    const state = await this.#check(signal);
    if (state === 'unfilled') await this.#fill(signal);
    return (await this.#check(signal)) === 'current';
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => (this.#checkedAt = -Infinity));
    return turn;
  }

  /** Returns the state, which is at most one heartbeat old. */
  async #check(signal: AbortSignal): Promise<State> {
    if (this.#state !== null && performance.now() - this.#checkedAt < HEARTBEAT_MS) {
      return this.#state;
    }
    const checkedAt = performance.now();
    const state = await this.#currentState(signal);
    if (state !== this.#state) this.#log(state);
    this.#state = state;
    this.#checkedAt = checkedAt;
    return state;
  }

  async #currentState(signal: AbortSignal): Promise<State> {
    const { lease, changeLog, index } = this.#deps;
    if (!(await lease.hold())) return 'elsewhere';
    const reader = await changeLog.keepAlive(null, signal);
    const state = await index.state(signal);
    if (state === 'unavailable') return 'unavailable';
    return state === 'ready' && reader === 'filled' ? 'current' : 'unfilled';
  }

  #log(state: State): void {
    const { logger } = this.#deps;
    if (state === 'unavailable') {
      logger.warn(
        'the vector index is unavailable; matching is refused until it is available again',
      );
    } else if (this.#state === 'unavailable') {
      logger.info('the vector index is available again');
    }
    if (state === 'elsewhere') logger.info('another process maintains the vector index');
  }

  async #fill(signal: AbortSignal): Promise<void> {
    const { logger, observer } = this.#deps;
    const start = performance.now();
    logger.info('filling the vector index');
    // The next call checks the state again, even if this call fails.
    this.#checkedAt = -Infinity;
    const lost = new AbortController();
    try {
      const vectors = await this.#rebuild(signal, lost);
      const milliseconds = Math.round(performance.now() - start);
      if (vectors !== null) {
        logger.info({ vectors, milliseconds }, 'the vector index was filled');
        this.#warnOfSize(vectors);
      } else
        logger.warn(
          'the reader of the vector index was removed while the index was being filled; filling the index again',
        );
    } catch (error) {
      if (signal.aborted || !lost.signal.aborted) throw error;
    } finally {
      observer.indexFilling(null);
    }
  }

  #warnOfSize(vectors: number): void {
    const { logger, meantFor = Infinity } = this.#deps;
    if (vectors <= meantFor) return;
    logger.warn(
      { vectors, meantFor },
      'the vector index in memory is larger than it is meant to be: searches become slow; set SIGHTLINE_QDRANT_URL',
    );
  }

  /**
   * Rebuilds the index. During that time, a heartbeat renews the lease, keeps the reader registered, and reports the
   * number of finished points to other processes.
   */
  #rebuild(signal: AbortSignal, lost: AbortController): Promise<number | null> {
    const { lease, changeLog, observer } = this.#deps;
    let filling = 0;
    const heartbeat = {
      everyMs: HEARTBEAT_MS,
      renew: async () => {
        const isHeld = await lease.hold();
        if (isHeld) await changeLog.keepAlive(filling);
        return isHeld;
      },
      onLost: () => lost.abort(),
    };
    const progressed = (points: number): void => {
      filling = points;
      observer.indexFilling(points);
    };
    const ended = AbortSignal.any([signal, lost.signal]);
    return withHeartbeat(heartbeat, () => rebuildIndex(this.#deps, { signal: ended, progressed }));
  }
}
