import type { FollowDeps, TurnDone } from './follow-space.ts';
import { followSpace } from './follow-space.ts';
import type { FacesToLink, GroupLinker } from './group-linker.ts';
import { loadSpace } from './load-space.ts';
import type { NeighborLists } from './neighbor-lists.ts';
import type { StrangerVectors } from './open-face-vectors.ts';
import type { DueSpace, SimilarityQueue, TurnPosition } from './similarity-queue.ts';
import { SpaceMemory } from './space-memory.ts';

export interface FollowerDeps extends FollowDeps {
  readonly queue: Pick<SimilarityQueue, 'next'>;
  readonly linker: GroupLinker;
  /** Called after each turn with its duration. */
  readonly turnDone: (done: TurnDone & { readonly milliseconds: number }) => void;
  readonly linked: (faces: number, milliseconds: number) => void;
  /** Called when the computation of a tree has failed, or has ended so that the next one may begin. */
  readonly linkEnded: (error: unknown) => void;
}

/** The most bytes of vectors that are kept for spaces beside the one that is followed. */
const KEPT_BYTES = 512 * 1024 ** 2;
const REST_MS = 1_000;
/** A tree is computed without a rest if this share of its faces has changed. */
const CHANGED_SHARE = 0.02;
/** How many times as long as a tree took the next one waits. */
const PAUSE_FACTOR = 4;
const RETRY_MS = 30_000;
/** The most faces of a small tree. One small tree and one large tree are computed at a time. */
const SMALL_TREE = 5_000;

interface Followed {
  readonly space: DueSpace;
  readonly memory: SpaceMemory;
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
  #last: TurnPosition | null = null;
  /** Whether a space has done something since the first one had its turn. */
  #worked = false;
  readonly #linking = new Map<string, Promise<void>>();

  constructor(deps: FollowerDeps) {
    this.#deps = deps;
  }

  /**
   * Gives the next space its turn.
   *
   * @returns whether any space may have more to do now
   * @throws StoreUnavailable, VectorsUnavailable; the next call continues with the next space
   */
  async next(signal: AbortSignal): Promise<boolean> {
    const due = await this.#deps.queue.next(this.#last, signal);
    this.#last = due;
    if (due === null) {
      const again = this.#worked;
      this.#worked = false;
      return again;
    }
    const start = performance.now();
    const done = await this.#turn(due);
    this.#worked ||= done.worked;
    if (done.worked) this.#deps.turnDone({ ...done, milliseconds: performance.now() - start });
    return true;
  }

  /** Forgets all spaces, because another process may follow them now. */
  async forget(): Promise<void> {
    for (const { space } of this.#followed.values()) await this.#forget(space);
  }

  /** Resolves when no tree is being computed. */
  async idle(): Promise<void> {
    await Promise.all(this.#linking.values());
  }

  async #turn(space: DueSpace): Promise<TurnDone> {
    const { database } = this.#deps;
    const state = await database.withScope({ environmentId: space.environmentId }, ({ followed }) =>
      followed.state(space.modelId),
    );
    const known = this.#followed.get(keyOf(space));
    if (known !== undefined && known.memory.turn !== state.turn) await this.#forget(space);
    const followed = this.#followed.get(keyOf(space)) ?? { space, memory: new SpaceMemory(state) };
    this.#followed.delete(keyOf(space));
    this.#followed.set(keyOf(space), followed);
    try {
      const done = await followSpace(this.#deps, { space, memory: followed.memory });
      if (!state.isSettled) await loadSpace(this.#deps, followed);
      this.#link(followed);
      await this.#forgetOldest();
      return done;
    } catch (error) {
      await this.#forget(space);
      throw error;
    }
  }

  /** Begins to compute the tree of a space, if it is time for that. */
  #link({ space, memory }: Followed): void {
    const { lists } = memory;
    const isLarge = lists.size > SMALL_TREE;
    if (!memory.isLoaded || memory.changes === memory.linkedChanges) return;
    const unlinked = memory.changes - (memory.linkedChanges ?? 0);
    const now = performance.now();
    const { restMs = REST_MS } = this.#deps;
    const rests = now - memory.changedAt >= restMs && lists.incomplete.size === 0;
    if (!rests && unlinked < Math.max(1, CHANGED_SHARE * lists.size)) return;
    if (now < memory.linkAfter || this.#isBusy(isLarge)) return;
    const key = `${keyOf(space)} ${isLarge}`;
    const end = this.#computeTree({ space, memory }).then(
      () => this.#deps.linkEnded(null),
      (error: unknown) => {
        memory.linkAfter = performance.now() + RETRY_MS;
        this.#deps.linkEnded(error);
      },
    );
    this.#linking.set(
      key,
      end.finally(() => this.#linking.delete(key)),
    );
  }

  #isBusy(isLarge: boolean): boolean {
    return [...this.#linking.keys()].some((key) => key.endsWith(String(isLarge)));
  }

  async #computeTree({ space, memory }: Followed): Promise<void> {
    const { database, openFaces, linker, linked } = this.#deps;
    const { modelId } = space;
    const scope = { environmentId: space.environmentId };
    const start = performance.now();
    const { changes } = memory;
    const { now: asOf } = await database.withScope(scope, ({ followed }) =>
      followed.state(modelId),
    );
    const strangers = await openFaces.strangers(space);
    // The vectors are gone if the space was forgotten before they were read.
    if (this.#followed.get(keyOf(space))?.memory !== memory) return;
    const faces = strangers.ids.slice();
    const confidences = Float64Array.from(faces, (id) => memory.strangers.get(id) ?? 0);
    const joinings = await linker.link(packFaces(strangers, memory.lists));
    await database.withEntities({ ...scope, locks: [] }, ({ followed }) =>
      followed.addTree(modelId, { faces, confidences, ...joinings }, asOf),
    );
    const milliseconds = performance.now() - start;
    memory.linkedChanges = changes;
    memory.linkAfter = performance.now() + PAUSE_FACTOR * milliseconds;
    linked(faces.length, milliseconds);
  }

  async #forgetOldest(): Promise<void> {
    const size = ({ space, memory }: Followed) =>
      memory.strangers.size * space.dimension * Float32Array.BYTES_PER_ELEMENT;
    const all = [...this.#followed.values()];
    let kept = 0;
    for (const followed of all.slice(0, -1).reverse()) {
      kept += size(followed);
      if (kept > KEPT_BYTES) await this.#forget(followed.space);
    }
  }

  async #forget(space: DueSpace): Promise<void> {
    this.#followed.delete(keyOf(space));
    await this.#deps.openFaces.forget(space).catch(() => undefined);
  }
}

function packFaces({ ids, vectors }: StrangerVectors, lists: NeighborLists): FacesToLink {
  const positions = new Map(Array.from(ids, (id, position) => [id, position]));
  const ends = new Int32Array(ids.length);
  const targets: number[] = [];
  for (const [position, id] of ids.entries()) {
    for (const neighbor of lists.of(id)?.ids ?? []) {
      const target = positions.get(neighbor);
      if (target !== undefined) targets.push(target);
    }
    ends[position] = targets.length;
  }
  return { vectors, faces: ids.length, ends, targets: Int32Array.from(targets) };
}

function keyOf({ environmentId, modelId }: TurnPosition): string {
  return `${environmentId}/${modelId}`;
}
