import { Backoff } from '../backoff.ts';
import { keyOfSpace } from '../groups/followed-space.ts';
import { EnvironmentDeleted } from '../store/environment-deleted.ts';
import { StoreUnavailable } from '../store/store-errors.ts';
import { VectorsUnavailable } from '../vectors/vectors-unavailable.ts';
import type { FollowDeps, SpaceWork, TurnDone } from './follow-space.ts';
import { beginWork, followSpace } from './follow-space.ts';
import { loadSpace, SpaceTooLarge } from './load-space.ts';
import type { DueSpace, SimilarityQueue, TurnPosition } from './similarity-queue.ts';
import { SpaceOutdated } from './space-effects.ts';
import { bytesOf, type Followed, SpaceMemory } from './space-memory.ts';
import { SpaceProgress } from './space-progress.ts';
import { TreeKeeper, type TreeKeeperDeps } from './tree-keeper.ts';

export interface FollowerDeps extends FollowDeps, TreeKeeperDeps {
  readonly queue: Pick<SimilarityQueue, 'next' | 'absorb'>;
  /** Called after each turn with its duration. */
  readonly turnDone: (done: TurnDone & { readonly milliseconds: number }) => void;
  /** Called when a turn has failed while other spaces had something to do, so that no error ends the round. */
  readonly turnFailed: (error: Error) => void;
  /** The most memory of vectors that is kept for spaces beside the one whose turn it is, in bytes. */
  readonly keptBytes: number;
}

/** How long a space rests after its turn has failed. */
const REST = { firstMs: 500, longestMs: 15_000 };
/** How long a space rests that does not fit into memory, because it has to be loaded to find that out. */
const TOO_LARGE_MS = 600_000;

interface Rest {
  readonly backoff: Backoff;
  readonly until: number;
  readonly failure: Error;
}

/**
 * Keeps suggestions, groups and mismatches of all environments up to date. The spaces take turns, so that one with many
 * changes does not delay another. One process at a time follows, but two do no harm: each transaction continues from the
 * turn that its process knows, and the process whose turn is out of date begins with the rows again.
 */
export class SimilarityFollower {
  readonly #deps: FollowerDeps;
  /** In the order of their last turns. */
  readonly #followed = new Map<string, Followed>();
  /** In the order of the last turns, without spaces all of whose changes are done. */
  readonly #progress = new Map<string, SpaceProgress>();
  #last: TurnPosition | null = null;
  /** Whether a space has done something since the first one had its turn. */
  #worked = false;
  /** Whether no space did anything in the last round. Only then, spaces of previous models have turns. */
  #isQuiet = false;
  /** Whether a space of a previous model had no turn since the first space had its turn. */
  #skipped = false;
  /** The last failure since the first space had its turn. */
  #failure: Error | null = null;
  /** The last failure of a turn since the first space had its turn, without those of spaces that rest. */
  #turnFailure: Error | null = null;
  /** The spaces that were due since the first one had its turn. */
  readonly #due = new Set<string>();
  /** The spaces whose last turn failed. */
  readonly #resting = new Map<string, Rest>();
  readonly #trees: TreeKeeper;

  constructor(deps: FollowerDeps) {
    this.#deps = deps;
    this.#trees = new TreeKeeper(deps);
  }

  /**
   * Gives the next space its turn. A space whose turn fails rests for a while, and the others go on.
   *
   * @returns whether any space may have more to do now
   * @throws StoreUnavailable; after the last space, the last failure if no space has done anything
   */
  async next(signal: AbortSignal): Promise<boolean> {
    const due = await this.#deps.queue.next(this.#last, signal);
    this.#last = due;
    if (due === null) return await this.#endRound();
    this.#due.add(keyOfSpace(due));
    if (due.isPrevious && !this.#isQuiet) {
      this.#skipped = true;
      return true;
    }
    const rest = this.#resting.get(keyOfSpace(due));
    if (rest !== undefined && rest.until > performance.now()) {
      // An outage lasts while its spaces rest.
      if (rest.failure instanceof VectorsUnavailable) this.#failure ??= rest.failure;
      return true;
    }
    const start = performance.now();
    const done = await this.#turnOrRest(due);
    this.#worked ||= done.worked;
    if (done.worked) this.#deps.turnDone({ ...done, milliseconds: performance.now() - start });
    return true;
  }

  /** Whether a space may have something to do in the next round. @throws the last failure, if none has */
  async #endRound(): Promise<boolean> {
    await this.#forgetMissing();
    const [worked, failure, ofTurn] = [this.#worked, this.#failure, this.#turnFailure];
    const mayWork = worked || this.#skipped;
    this.#isQuiet = !worked;
    this.#worked = this.#skipped = false;
    this.#failure = this.#turnFailure = null;
    if (failure !== null && !worked) throw failure;
    if (ofTurn !== null) this.#deps.turnFailed(ofTurn);
    return mayWork;
  }

  /**
   * Forgets spaces that have been deleted: a space whose tree is to be stored, or whose changes are not done, is due in
   * every round as long as it exists.
   */
  async #forgetMissing(): Promise<void> {
    for (const followed of this.#followed.values()) {
      const { space, memory } = followed;
      const isWaiting = memory.treeWorks === 0 && this.#trees.needsMemory(followed);
      if (isWaiting && !this.#due.has(keyOfSpace(space))) await this.#forget(space);
    }
    for (const key of this.#progress.keys()) if (!this.#due.has(key)) await this.#dropProgress(key);
    for (const key of this.#resting.keys()) if (!this.#due.has(key)) this.#resting.delete(key);
    this.#trees.forgetPauses();
    this.#due.clear();
  }

  async #turnOrRest(space: DueSpace): Promise<TurnDone> {
    try {
      const done = await this.#turn(space);
      this.#resting.delete(keyOfSpace(space));
      return done;
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      const { backoff } = this.#resting.get(keyOfSpace(space)) ?? { backoff: new Backoff(REST) };
      const failure = error instanceof Error ? error : new Error(String(error));
      const restMs = failure instanceof SpaceTooLarge ? TOO_LARGE_MS : backoff.next();
      const until = performance.now() + restMs;
      this.#resting.set(keyOfSpace(space), { backoff, until, failure });
      this.#failure = this.#turnFailure = failure;
      return { worked: false, changes: 0 };
    }
  }

  /** Forgets all spaces, because another process may follow them now. */
  async forget(): Promise<void> {
    for (const { space } of this.#followed.values()) await this.#forget(space);
    for (const key of this.#progress.keys()) await this.#dropProgress(key);
  }

  /** Resolves when no tree is being computed. */
  async idle(): Promise<void> {
    await this.#trees.idle();
  }

  async #turn(space: DueSpace): Promise<TurnDone> {
    const work = await beginWork(this.#deps, space);
    const { state } = work;
    const known = this.#followed.get(keyOfSpace(space));
    const isKnown = known?.memory.turn === state.turn && !known.memory.isLost;
    if (known !== undefined && !isKnown) await this.#forget(space);
    const followed = this.#followed.get(keyOfSpace(space)) ?? {
      space,
      memory: new SpaceMemory(state),
    };
    this.#followed.delete(keyOfSpace(space));
    this.#followed.set(keyOfSpace(space), followed);
    const progress = await this.#progressOf(space, state.turn);
    try {
      const done = await this.#follow({ ...followed, progress }, work);
      progress.turn = followed.memory.turn;
      if (progress.isEmpty) this.#progress.delete(keyOfSpace(space));
      await this.#forgetOldest(space);
      return done;
    } catch (error) {
      await this.#forget(space);
      await this.#dropProgress(keyOfSpace(space));
      // The rows have changed since they were read. The next turn begins with them.
      if (error instanceof SpaceOutdated) return { worked: true, changes: 0 };
      if (error instanceof EnvironmentDeleted) return { worked: false, changes: 0 };
      throw error;
    }
  }

  /** The progress of the space, which is now the last one. It begins again after a turn of another process. */
  async #progressOf(space: DueSpace, turn: number | null): Promise<SpaceProgress> {
    const key = keyOfSpace(space);
    if (this.#progress.get(key)?.turn !== turn) await this.#dropProgress(key);
    const progress = this.#progress.get(key) ?? new SpaceProgress(turn);
    this.#progress.delete(key);
    this.#progress.set(key, progress);
    return progress;
  }

  async #dropProgress(key: string): Promise<void> {
    const progress = this.#progress.get(key);
    this.#progress.delete(key);
    await progress?.newVectors?.release().catch(() => undefined);
  }

  async #follow(
    followed: Followed & { readonly progress: SpaceProgress },
    work: SpaceWork,
  ): Promise<TurnDone> {
    await this.#trees.store(followed, work.state);
    const state = { ...work.state, turn: followed.memory.turn };
    const mayLoad = this.#trees.isDue(followed.space);
    const done = await followSpace(this.#deps, { ...followed, ...work, state, mayLoad });
    if (!state.isSettled && mayLoad) await loadSpace(this.#deps, followed);
    if (this.#mayKeepTree(followed)) this.#trees.keep(followed);
    return done;
  }

  /** Whether a space may stay in memory for its tree, beside those that do already. One always may. */
  #mayKeepTree(followed: Followed): boolean {
    const others = [...this.#followed.values()].filter(
      (other) => other !== followed && this.#trees.needsMemory(other),
    );
    const bytes = others.reduce((sum, other) => sum + bytesOf(other), bytesOf(followed));
    return others.length === 0 || bytes <= this.#deps.keptBytes;
  }

  /**
   * Forgets the memory of spaces that does not fit beside that of later turns, unless their trees need it. How far they
   * have got is kept.
   */
  async #forgetOldest(last: DueSpace): Promise<void> {
    let kept = 0;
    for (const [key, { newVectors }] of [...this.#progress].reverse()) {
      if (key === keyOfSpace(last) || newVectors === null) continue;
      if (kept + newVectors.bytes <= this.#deps.keptBytes) kept += newVectors.bytes;
      else await newVectors.release();
    }
    for (const followed of [...this.#followed.values()].slice(0, -1).reverse()) {
      const bytes = bytesOf(followed);
      const fits = kept + bytes <= this.#deps.keptBytes;
      if (fits || this.#trees.needsMemory(followed)) kept += bytes;
      else await this.#forget(followed.space);
    }
  }

  async #forget(space: DueSpace): Promise<void> {
    const followed = this.#followed.get(keyOfSpace(space));
    if (followed !== undefined) followed.memory.isLoaded = false;
    this.#followed.delete(keyOfSpace(space));
    await Promise.allSettled([this.#deps.openFaces.forget(space)]);
  }
}
