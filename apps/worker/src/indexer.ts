import { setTimeout as sleep } from 'node:timers/promises';
import type { HeldLease } from '@sightline/core/leases/lease';
import type { ChangeLog } from '@sightline/core/vectors/change-log';
import { indexChanges } from '@sightline/core/vectors/index-changes';
import type { IndexSource } from '@sightline/core/vectors/index-source';
import { rebuildIndex } from '@sightline/core/vectors/rebuild-index';
import type { VectorIndex } from '@sightline/core/vectors/vector-index';
import type { Logger } from '@sightline/platform/logging/logger';
import { FillingBeat } from './filling-beat.ts';
import type { WorkerObserver } from './worker-observer.ts';

export interface IndexerDeps {
  readonly source: IndexSource;
  readonly changeLog: ChangeLog;
  readonly index: VectorIndex;
  /** Of this index. It has to last longer than {@link BEAT_MS}. */
  readonly lease: HeldLease;
  readonly observer: Pick<WorkerObserver, 'indexFilling'>;
  readonly logger: Logger;
}

/**
 * `elsewhere`: another process keeps the index. `away`: it does not answer. `to fill`: it is not
 * complete, its reader is not known, or somebody asked for another one. `kept`: only what changes has
 * to come to it.
 */
type Standing = 'elsewhere' | 'away' | 'to fill' | 'kept';

/** Between two looks at the lease, the index and its reader, in ms. */
export const BEAT_MS = 5_000;
const PAUSE_MS = 100;

/**
 * Keeps one index in step with the database, and fills it where that is needed. Of all processes with
 * the same reader, the one that holds the lease does so; in a process, one thing after the other.
 */
export class Indexer {
  readonly #deps: IndexerDeps;
  #last: Promise<unknown> = Promise.resolve();
  #standing: Standing | null = null;
  #lookedAt = -Infinity;

  constructor(deps: IndexerDeps) {
    this.#deps = deps;
  }

  /** Whether the index was complete and kept by this process when it looked last. */
  keeps(): boolean {
    return this.#standing === 'kept';
  }

  /**
   * Does what is next: fills the index, or brings a batch of changes to it. Answers whether more may
   * wait.
   *
   * @throws StoreUnavailable, VectorsUnavailable; the signal's reason on abort
   */
  next(signal: AbortSignal): Promise<boolean> {
    return this.#inTurn(async () => {
      const standing = await this.#look(signal);
      if (standing === 'kept') return indexChanges(this.#deps, signal);
      if (standing === 'to fill') await this.#fill(signal);
      return standing === 'to fill';
    });
  }

  /** Brings everything to the index that was noted until now, if this process keeps it. */
  async catchUp(signal: AbortSignal): Promise<void> {
    while (await this.next(signal));
  }

  /** Settles when the index is complete; for one that no other process keeps. */
  async fill(signal: AbortSignal): Promise<void> {
    while (!(await this.#inTurn(() => this.#fillIfNeeded(signal)))) {
      await sleep(PAUSE_MS, undefined, { signal });
    }
  }

  /** Whether the index is kept by now. */
  async #fillIfNeeded(signal: AbortSignal): Promise<boolean> {
    const standing = await this.#look(signal);
    if (standing === 'to fill') await this.#fill(signal);
    return (await this.#look(signal)) === 'kept';
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => (this.#lookedAt = -Infinity));
    return turn;
  }

  /** As it was a moment ago, or as it is now. */
  async #look(signal: AbortSignal): Promise<Standing> {
    if (this.#standing !== null && performance.now() - this.#lookedAt < BEAT_MS) {
      return this.#standing;
    }
    const lookedAt = performance.now();
    const standing = await this.#standingNow(signal);
    if (standing !== this.#standing) this.#tell(standing);
    this.#standing = standing;
    this.#lookedAt = lookedAt;
    return standing;
  }

  async #standingNow(signal: AbortSignal): Promise<Standing> {
    const { lease, changeLog, index } = this.#deps;
    if (!(await lease.hold())) return 'elsewhere';
    const reader = await changeLog.keepAlive(null, signal);
    const state = await index.state(signal);
    if (state === 'unavailable') return 'away';
    return state === 'ready' && reader === 'filled' ? 'kept' : 'to fill';
  }

  #tell(standing: Standing): void {
    const { logger } = this.#deps;
    if (standing === 'away') {
      logger.warn('the index of faces does not answer, and nobody is matched until it does');
    } else if (this.#standing === 'away') {
      logger.info('the index of faces answers again');
    }
    if (standing === 'elsewhere') logger.info('another process keeps the index of faces');
  }

  async #fill(signal: AbortSignal): Promise<void> {
    const { logger, observer } = this.#deps;
    const start = performance.now();
    logger.info('the index of faces is being filled');
    using beat = new FillingBeat({ ...this.#deps, everyMs: BEAT_MS }, signal);
    const progressed = (points: number): void => {
      beat.filling = points;
      observer.indexFilling(points);
    };
    // Whatever it comes to, the next turn looks again.
    this.#lookedAt = -Infinity;
    try {
      const vectors = await rebuildIndex(this.#deps, { signal: beat.signal, progressed });
      const milliseconds = Math.round(performance.now() - start);
      if (vectors !== null) logger.info({ vectors, milliseconds }, 'the index of faces is filled');
      else logger.warn('the index of faces was forgotten while it was filled, and is filled again');
    } catch (error) {
      if (signal.aborted || !beat.lost) throw error;
    } finally {
      observer.indexFilling(null);
    }
  }
}
