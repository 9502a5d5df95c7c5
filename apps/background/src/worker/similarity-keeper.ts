import type { HeldLease } from '@sightline/core/leases/lease';
import { withHeartbeat } from '@sightline/core/leases/with-heartbeat';
import type { SimilarityFollower } from '@sightline/core/similarity/similarity-follower';
import type { SimilarityQueue } from '@sightline/core/similarity/similarity-queue';
import type { ChangeLog } from '@sightline/core/vectors/change-log';
import type { Logger } from '@sightline/platform/logging/logger';

export interface SimilarityKeeperDeps {
  readonly lease: HeldLease;
  /** The change log of the reader `similarity`. */
  readonly changeLog: ChangeLog;
  readonly queue: Pick<SimilarityQueue, 'scanAll'>;
  readonly follower: Pick<SimilarityFollower, 'next' | 'forget'>;
  readonly logger: Logger;
}

/** The time between two checks of the lease and of the reader, in ms. */
const HEARTBEAT_MS = 5_000;

/** Lets one process at a time follow similarity, and makes it read all faces when the reader is new. */
export class SimilarityKeeper {
  readonly #deps: SimilarityKeeperDeps;
  #follows = false;
  #checkedAt = -Infinity;

  constructor(deps: SimilarityKeeperDeps) {
    this.#deps = deps;
  }

  /**
   * Gives the next environment its turn, if this process follows. Returns whether more may be to do.
   *
   * @throws StoreUnavailable, VectorsUnavailable; the signal's reason on abort
   */
  async next(signal: AbortSignal): Promise<boolean> {
    const { lease, changeLog, follower } = this.#deps;
    try {
      if (!(await this.#check(signal))) return false;
      const renew = async (): Promise<boolean> => {
        const isHeld = await lease.hold();
        if (isHeld) await changeLog.keepAlive(null);
        return isHeld;
      };
      return await withHeartbeat({ everyMs: HEARTBEAT_MS, renew }, () => follower.next(signal));
    } catch (error) {
      this.#checkedAt = -Infinity;
      throw error;
    }
  }

  async #check(signal: AbortSignal): Promise<boolean> {
    if (performance.now() - this.#checkedAt < HEARTBEAT_MS) return this.#follows;
    const checkedAt = performance.now();
    const follows = await this.#deps.lease.hold();
    if (!follows && this.#follows) await this.#deps.follower.forget();
    this.#follows = follows;
    if (follows) await this.#begin(signal);
    this.#checkedAt = checkedAt;
    return follows;
  }

  async #begin(signal: AbortSignal): Promise<void> {
    const { changeLog, queue, logger } = this.#deps;
    if ((await changeLog.keepAlive(null, signal)) === 'filled') return;
    // Only a registration that this process has read, or made, can be marked as filled.
    if ((await changeLog.state(signal)) !== 'rebuild_requested') await changeLog.follow(signal);
    await queue.scanAll(signal);
    // Without its registration, the next check begins again.
    if (!(await changeLog.filled(signal))) return;
    logger.info('all faces are read for suggestions, groups and mismatches');
  }
}
