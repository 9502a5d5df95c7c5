import type { Database } from '../database/database.ts';
import type { FollowedFaceWriter, SpaceState, StoredTree } from '../groups/followed-faces.ts';
import { VectorsUnavailable } from '../vectors/vectors-unavailable.ts';
import { keyOfSpace } from '../groups/followed-space.ts';
import type { GroupLinker } from './group-linker.ts';
import { GrowingTree } from './growing-tree.ts';
import { linkStrangers } from './link-strangers.ts';
import type { OpenFaceVectors } from './open-face-vectors.ts';
import { readNewestTree } from './read-newest-tree.ts';
import type { DueSpace, SimilarityQueue } from './similarity-queue.ts';
import { SpaceOutdated } from './space-effects.ts';
import type { Followed, KeptTree, SpaceMemory } from './space-memory.ts';

export interface TreeKeeperDeps {
  readonly database: Database;
  readonly openFaces: OpenFaceVectors;
  readonly linker: GroupLinker;
  readonly queue: Pick<SimilarityQueue, 'absorb'>;
  /** The time without a change after which all groups are linked again, in ms; a second if absent. */
  readonly restMs?: number;
  /** The least pause after all groups were linked, in ms; 3 seconds if absent. */
  readonly leastLinkPauseMs?: number;
  /** The most memory that linking the groups of a space may take, in bytes. Beyond it, new faces are only attached. */
  readonly linkingBytes: number;
  /** Called when a space has too many faces for that. */
  readonly tooManyFaces: (space: DueSpace, faces: number) => void;
  /** Called when all groups of a space were linked again. */
  readonly linked: (faces: number, milliseconds: number) => void;
  /** Called when the work on a tree has ended, with its error or null, so that the next one may begin. */
  readonly treeEnded: (error: unknown) => void;
}

const REST_MS = 1_000;
/** All groups are linked again without a rest if so many strangers came or left, as a share of the present ones. */
const CHANGED_SHARE = 0.02;
/** The pause after linking, as a multiple of its duration, and its least length in ms. */
const LINK_PAUSE = 4;
const LEAST_LINK_PAUSE_MS = 3_000;
/** The pause after attaching faces, as a multiple of its duration, and its least length in ms. */
const ATTACH_PAUSE = 10;
const LEAST_ATTACH_PAUSE_MS = 1_000;
const RETRY_MS = 30_000;
/** The time between two complaints about too many faces, in ms. */
const TOO_MANY_MS = 600_000;
/** The most faces of a small tree. One small and one large tree are linked at a time. */
const SMALL_TREE = 5_000;
const LINKING_LARGE = 'link a large tree';
/** The most trees that are worked on at a time. */
const MOST_WORKS = 8;
/** The most faces that are attached at a time. */
const MOST_ATTACHED = 500;
/** The memory of a face while it is linked, beside two copies of its vector, in bytes; measured with 100,000 faces. */
const LINKED_BYTES = 4_500;

interface Pauses {
  /** When all groups may be linked again. */
  linkAfter: number;
  /** When faces may be attached to the tree again. */
  attachAfter: number;
}

/**
 * Keeps the trees of groups. New faces are attached to a tree soon after they came. All groups are linked again when no
 * change came for a while, or when many have come, but the longer that takes the more rarely.
 */
export class TreeKeeper {
  readonly #deps: TreeKeeperDeps;
  readonly #working = new Map<string, Promise<void>>();
  /** By space, because the memory of a space may be forgotten before its pause has ended. */
  readonly #pauses = new Map<string, Pauses>();

  constructor(deps: TreeKeeperDeps) {
    this.#deps = deps;
  }

  /** Resolves when no tree is worked on. */
  async idle(): Promise<void> {
    await Promise.all(this.#working.values());
  }

  /**
   * Whether the vectors of a space should be loaded so that its groups can be linked. While a large tree is linked, another
   * one that does not fit into memory would only be loaded and forgotten again.
   */
  isDue(space: DueSpace): boolean {
    return (
      performance.now() >= this.#pausesOf(space).linkAfter && !this.#working.has(LINKING_LARGE)
    );
  }

  /** Whether the tree of a space needs what is in memory: it is being linked or attached to, or is to be stored. */
  needsMemory({ memory: { tree, treeWorks } }: Followed): boolean {
    return treeWorks > 0 || (tree !== null && isToStore(tree));
  }

  /** Forgets pauses that have ended, because spaces may be deleted. */
  forgetPauses(): void {
    const now = performance.now();
    for (const [key, { linkAfter, attachAfter }] of this.#pauses) {
      if (linkAfter <= now && attachAfter <= now) this.#pauses.delete(key);
    }
  }

  /** Begins the work on the tree of a space, if it is time for it. The work goes on beside the turns of spaces. */
  keep({ space, memory }: Followed): void {
    if (!memory.isLoaded || memory.changes === memory.linkedChanges) return;
    const pauses = this.#pausesOf(space);
    const now = performance.now();
    const attaching = `attach ${keyOfSpace(space)}`;
    if (now >= pauses.attachAfter && this.#isFree(attaching)) {
      this.#begin(attaching, { space, memory }, () => this.#attachNew({ space, memory }));
    }
    const linking = memory.strangers.size > SMALL_TREE ? LINKING_LARGE : 'link a small tree';
    if (now < pauses.linkAfter || !this.#isToLink(memory) || !this.#isFree(linking)) return;
    if (!this.#hasRoomFor({ space, memory })) return;
    this.#begin(linking, { space, memory }, () => this.#link({ space, memory }, attaching));
  }

  #isFree(name: string): boolean {
    return !this.#working.has(name) && this.#working.size < MOST_WORKS;
  }

  #pausesOf(space: DueSpace): Pauses {
    const key = keyOfSpace(space);
    const pauses = this.#pauses.get(key) ?? { linkAfter: -Infinity, attachAfter: -Infinity };
    this.#pauses.set(key, pauses);
    return pauses;
  }

  #hasRoomFor({ space, memory }: Followed): boolean {
    const faces = memory.strangers.size;
    const vectors = 2 * space.dimension * Float32Array.BYTES_PER_ELEMENT;
    if (faces * (vectors + LINKED_BYTES) <= this.#deps.linkingBytes) return true;
    this.#pausesOf(space).linkAfter = performance.now() + TOO_MANY_MS;
    this.#deps.tooManyFaces(space, faces);
    return false;
  }

  #begin(name: string, { space, memory }: Followed, work: () => Promise<void>): void {
    memory.treeWorks++;
    const ended = work().then(
      () => null,
      (error: unknown) => {
        const pauses = this.#pausesOf(space);
        pauses.linkAfter = pauses.attachAfter = performance.now() + RETRY_MS;
        memory.isLost ||= error instanceof VectorsUnavailable;
        return error;
      },
    );
    const end = ended.then((error) => {
      this.#working.delete(name);
      memory.treeWorks--;
      this.#deps.treeEnded(error);
    });
    this.#working.set(name, end);
  }

  #isToLink({ lists, strangers, changedAt, changedStrangers, tree }: SpaceMemory): boolean {
    const { restMs = REST_MS } = this.#deps;
    const rests = performance.now() - changedAt >= restMs && lists.incomplete.size === 0;
    const changed = changedStrangers + (tree?.attachedBefore ?? 0);
    return rests || changed >= Math.max(1, CHANGED_SHARE * strangers.size);
  }

  /** Links all groups. Faces that arrive during that time are attached to the tree before, and to this one at its end. */
  async #link({ space, memory }: Followed, attaching: string): Promise<void> {
    const { openFaces, linker, linked } = this.#deps;
    const start = performance.now();
    const { changes, changedStrangers, currentAt, strangers, lists } = memory;
    const vectors = await openFaces.strangers(space);
    // The vectors are not in memory if the space was forgotten before they were read.
    if (!memory.isLoaded) return;
    const tree = await linkStrangers(linker, { vectors, strangers, lists });
    const pauses = this.#pausesOf(space);
    pauses.attachAfter = Infinity;
    await this.#working.get(attaching);
    const asOf = memory.currentAt;
    const growing = await GrowingTree.of(tree);
    let done = await this.#attach({ space, memory }, growing);
    while (done.missing > 0 && done.attached > 0) {
      done = await this.#attach({ space, memory }, growing);
    }
    const milliseconds = performance.now() - start;
    memory.tree = {
      growing,
      version: null,
      linked: { tree, changes, changedStrangers, currentAt },
      attachedStored: 0,
      attachedBefore: 0,
      asOf,
    };
    // While images arrive, a small tree changes all the time, and the thread that links it takes longer to start.
    const { leastLinkPauseMs = LEAST_LINK_PAUSE_MS } = this.#deps;
    const pause = Math.max(LINK_PAUSE * milliseconds, leastLinkPauseMs);
    pauses.linkAfter = performance.now() + pause;
    pauses.attachAfter = -Infinity;
    linked(tree.faces.length, milliseconds);
  }

  async #attachNew({ space, memory }: Followed): Promise<void> {
    const asOf = memory.currentAt;
    const tree = memory.tree ?? (await this.#read({ space, memory }));
    // The tree is read once, so the pause does not count it. Otherwise the next faces would wait for many seconds.
    const start = performance.now();
    const { missing } = await this.#attach({ space, memory }, tree.growing);
    if (missing === 0) tree.asOf = asOf;
    const pause = ATTACH_PAUSE * (performance.now() - start);
    const pauses = this.#pausesOf(space);
    // The tree that is being linked has all faces at its end.
    if (pauses.attachAfter === Infinity) return;
    pauses.attachAfter = performance.now() + Math.max(LEAST_ATTACH_PAUSE_MS, pause);
  }

  /** Attaches strangers that the tree lacks. Returns how many, and how many it still lacks because they were too many. */
  async #attach(
    { space, memory }: Followed,
    tree: GrowingTree,
  ): Promise<{ readonly attached: number; readonly missing: number }> {
    const { openFaces } = this.#deps;
    const { lists, strangers } = memory;
    const missing = [...strangers.keys()].filter((id) => !tree.has(id) && lists.of(id));
    const some = missing.sort((a, b) => a - b).slice(0, MOST_ATTACHED);
    const vectorsOf = (ids: readonly number[]) => openFaces.vectors(space, ids);
    let attached = 0;
    for (const id of some) {
      const [vector] = await vectorsOf([id]);
      const confidence = strangers.get(id)?.confidence;
      if (vector === undefined || confidence === undefined) continue;
      const nearest = lists.of(id)?.ids.find((other) => tree.has(other)) ?? null;
      await tree.attach({ id, confidence, vector, nearest }, vectorsOf);
      attached++;
    }
    return { attached, missing: missing.length - some.length };
  }

  /** Reads the tree that was stored last. */
  async #read({ space, memory }: Followed): Promise<KeptTree> {
    const { currentAt } = memory;
    const { tree, asOf, linked, attached } = await readNewestTree(this.#deps.database, space);
    memory.tree = {
      growing: await GrowingTree.of(linked ?? EMPTY, attached),
      version: tree?.version ?? null,
      linked: null,
      attachedStored: attached.length,
      attachedBefore: attached.length,
      asOf: asOf ?? currentAt,
    };
    return memory.tree;
  }

  /**
   * Stores what was linked or attached since the last call. It belongs to the turn of the space, so that no other turn of
   * this process comes between.
   *
   * @throws SpaceOutdated if another process has followed the space; StoreUnavailable
   */
  async store({ space, memory }: Followed, state: SpaceState): Promise<void> {
    const { tree } = memory;
    if (tree === null || !isToStore(tree)) return;
    const { growing, asOf, linked, attachedStored } = tree;
    const strangers = growing.attached.slice(attachedStored);
    const { environmentId, modelId } = space;
    const { scannedTo, isSettled } = state;
    const turn = (state.turn ?? 0) + 1;
    tree.version = await this.#deps.database.withEntities(
      { environmentId, locks: [] },
      async ({ followed }) => {
        const step = { turn, scannedTo, isSettled, currentAt: null };
        if (!(await followed.advance(modelId, state.turn, step))) throw new SpaceOutdated();
        const version = await storeLinked(followed, modelId, tree);
        const place = { version, from: attachedStored, asOf };
        if (strangers.length > 0) await followed.attach(modelId, strangers, place);
        else await followed.confirmTree(modelId, asOf);
        return version;
      },
    );
    memory.turn = turn;
    tree.attachedStored += strangers.length;
    if (linked === null) return;
    tree.linked = null;
    memory.linkedChanges = linked.changes;
    memory.changedStrangers -= linked.changedStrangers;
    await this.#deps.queue.absorb(space, (id) => growing.has(id));
  }
}

/** Stores the groups of a tree, unless they are stored. Returns their version. */
async function storeLinked(
  followed: FollowedFaceWriter,
  modelId: number,
  { linked, version, asOf }: KeptTree,
): Promise<number> {
  if (linked !== null) return followed.addTree(modelId, linked.tree, linked.currentAt);
  return version ?? followed.addTree(modelId, EMPTY, asOf);
}

function isToStore({ growing, linked, attachedStored }: KeptTree): boolean {
  return linked !== null || growing.attached.length > attachedStored;
}

const EMPTY: StoredTree = {
  faces: new Float64Array(),
  confidences: new Float64Array(),
  parts: new Int32Array(),
  cosines: new Float64Array(),
};
