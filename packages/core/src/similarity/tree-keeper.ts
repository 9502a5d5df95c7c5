import type { Database } from '../database/database.ts';
import type { StoredTree } from '../groups/followed-faces.ts';
import { VectorsUnavailable } from '../vectors/vectors-unavailable.ts';
import type { GroupLinker } from './group-linker.ts';
import { GrowingTree } from './growing-tree.ts';
import { linkStrangers } from './link-strangers.ts';
import type { OpenFaceVectors } from './open-face-vectors.ts';
import type { DueSpace } from './similarity-queue.ts';
import { SpaceOutdated } from './space-effects.ts';
import type { Followed, KeptTree, SpaceMemory } from './space-memory.ts';

export interface TreeKeeperDeps {
  readonly database: Database;
  readonly openFaces: OpenFaceVectors;
  readonly linker: GroupLinker;
  /** The time without a change after which all groups are linked again, in ms; a second if absent. */
  readonly restMs?: number;
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
/** The pause after linking, as a multiple of its duration. */
const LINK_PAUSE = 4;
/** The pause after attaching faces, as a multiple of its duration, and its least length in ms. */
const ATTACH_PAUSE = 10;
const LEAST_ATTACH_PAUSE_MS = 1_000;
const RETRY_MS = 30_000;
/** The time between two complaints about too many faces, in ms. */
const TOO_MANY_MS = 600_000;
/** The most faces of a small tree. One small and one large tree are linked at a time. */
const SMALL_TREE = 5_000;
const LINKING_LARGE = 'link a large tree';
/** The most faces that are attached at a time. */
const MOST_ATTACHED = 500;
/** The memory of a face while it is linked, beside two copies of its vector, in bytes; measured with 100,000 faces. */
const LINKED_BYTES = 4_500;

/**
 * Keeps the trees of groups. New faces are attached to a tree soon after they came. All groups are linked again when no
 * change came for a while, or when many have come, but the longer that takes the more rarely.
 */
export class TreeKeeper {
  readonly #deps: TreeKeeperDeps;
  readonly #working = new Map<string, Promise<void>>();

  constructor(deps: TreeKeeperDeps) {
    this.#deps = deps;
  }

  /** Resolves when no tree is worked on. */
  async idle(): Promise<void> {
    await Promise.all(this.#working.values());
  }

  /** Whether a large tree is being linked, so that another one has to wait. */
  get isLinkingLarge(): boolean {
    return this.#working.has(LINKING_LARGE);
  }

  /** Whether the tree of a space is being linked or attached to, or is to be stored. */
  isWorkedOn({ memory: { tree, treeWorks } }: Followed): boolean {
    return treeWorks > 0 || (tree !== null && isToStore(tree));
  }

  /** Begins the work on the tree of a space, if it is time for it. The work goes on beside the turns of spaces. */
  keep({ space, memory }: Followed): void {
    if (!memory.isLoaded || memory.changes === memory.linkedChanges) return;
    const attaching = `attach ${space.environmentId}/${space.modelId}`;
    const linking = memory.lists.size > SMALL_TREE ? LINKING_LARGE : 'link a small tree';
    if (performance.now() >= memory.attachAfter && !this.#working.has(attaching)) {
      this.#begin(attaching, memory, () => this.#attachNew({ space, memory }));
    } else if (this.#isToLink(memory) && !this.#working.has(linking)) {
      if (!this.#hasRoomFor({ space, memory })) return;
      this.#begin(linking, memory, () => this.#link({ space, memory }, attaching));
    }
  }

  #hasRoomFor({ space, memory }: Followed): boolean {
    const faces = memory.lists.size;
    const vectors = 2 * space.dimension * Float32Array.BYTES_PER_ELEMENT;
    if (faces * (vectors + LINKED_BYTES) <= this.#deps.linkingBytes) return true;
    memory.linkAfter = performance.now() + TOO_MANY_MS;
    this.#deps.tooManyFaces(space, faces);
    return false;
  }

  #begin(name: string, memory: SpaceMemory, work: () => Promise<void>): void {
    memory.treeWorks++;
    const ended = work().then(
      () => null,
      (error: unknown) => {
        memory.linkAfter = memory.attachAfter = performance.now() + RETRY_MS;
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

  #isToLink({ lists, changedAt, changedStrangers, linkAfter }: SpaceMemory): boolean {
    const { restMs = REST_MS } = this.#deps;
    const now = performance.now();
    const rests = now - changedAt >= restMs && lists.incomplete.size === 0;
    const areMany = changedStrangers >= Math.max(1, CHANGED_SHARE * lists.size);
    return now >= linkAfter && (rests || areMany);
  }

  /** Links all groups. Faces that arrive during that time are attached to the tree before, and to this one at its end. */
  async #link({ space, memory }: Followed, attaching: string): Promise<void> {
    const { openFaces, linker, linked } = this.#deps;
    const start = performance.now();
    const { changes, changedStrangers, currentAt } = memory;
    const vectors = await openFaces.strangers(space);
    // The vectors are not in memory if the space was forgotten before they were read.
    if (!memory.isLoaded) return;
    const linkedTree = await linkStrangers(linker, {
      vectors,
      strangers: memory.strangers,
      lists: memory.lists,
    });
    memory.attachAfter = Infinity;
    await this.#working.get(attaching);
    const tree: KeptTree = {
      growing: new GrowingTree(linkedTree),
      stored: { tree: linkedTree, asOf: currentAt },
      attachedStored: 0,
      asOf: memory.currentAt,
      counted: { changes, changedStrangers },
    };
    while ((await this.#attach({ space, memory }, tree.growing)) === MOST_ATTACHED);
    const milliseconds = performance.now() - start;
    memory.tree = tree;
    memory.linkAfter = performance.now() + LINK_PAUSE * milliseconds;
    memory.attachAfter = -Infinity;
    linked(linkedTree.faces.length, milliseconds);
  }

  async #attachNew({ space, memory }: Followed): Promise<void> {
    const start = performance.now();
    const asOf = memory.currentAt;
    const tree = memory.tree ?? (await this.#read({ space, memory }));
    await this.#attach({ space, memory }, tree.growing);
    tree.asOf = asOf;
    const pause = ATTACH_PAUSE * (performance.now() - start);
    // The tree that is being linked has all faces at its end.
    if (memory.attachAfter === Infinity) return;
    memory.attachAfter = performance.now() + Math.max(LEAST_ATTACH_PAUSE_MS, pause);
  }

  /** Attaches strangers that the tree lacks. Returns how many. */
  async #attach({ space, memory }: Followed, tree: GrowingTree): Promise<number> {
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
    return attached;
  }

  /** Reads the tree that was stored last. */
  async #read({ space, memory }: Followed): Promise<KeptTree> {
    const { environmentId, modelId } = space;
    const { currentAt } = memory;
    const { newest, stored, attached } = await this.#deps.database.withScope(
      { environmentId },
      async ({ groups }) => {
        const found = await groups.newest(modelId);
        const { tree } = found;
        return {
          newest: found,
          stored: tree && (await groups.tree(modelId, tree.version)),
          attached: (tree && (await groups.attached(modelId, tree))) ?? [],
        };
      },
    );
    memory.changedStrangers += attached.length;
    memory.tree = {
      growing: new GrowingTree(stored ?? EMPTY, attached),
      stored: newest.tree?.version ?? { tree: EMPTY, asOf: currentAt },
      attachedStored: attached.length,
      asOf: newest.asOf ?? currentAt,
      counted: null,
    };
    return memory.tree;
  }

  /**
   * Stores what was linked or attached since the last call. It belongs to the turn of the space, so that no other turn of
   * this process comes between.
   *
   * @throws SpaceOutdated if another process has followed the space; StoreUnavailable
   */
  async store({ space, memory }: Followed): Promise<void> {
    const { tree, turn } = memory;
    if (tree === null || turn === null || !isToStore(tree)) return;
    const { growing, asOf, counted, attachedStored } = tree;
    const strangers = growing.attached.slice(attachedStored);
    const { environmentId, modelId } = space;
    const version = await this.#deps.database.withEntities(
      { environmentId, locks: [] },
      async ({ followed }) => {
        const to =
          typeof tree.stored === 'number'
            ? tree.stored
            : await followed.addTree(modelId, tree.stored.tree, { asOf: tree.stored.asOf, turn });
        if (to === null || strangers.length === 0) return to;
        const place = { version: to, from: attachedStored, asOf, turn };
        return (await followed.attach(modelId, strangers, place)) ? to : null;
      },
    );
    if (version === null) throw new SpaceOutdated();
    if (typeof tree.stored !== 'number' && counted !== null) {
      memory.linkedChanges = counted.changes;
      memory.changedStrangers -= counted.changedStrangers;
    }
    tree.stored = version;
    tree.attachedStored += strangers.length;
  }
}

function isToStore({ growing, stored, attachedStored, counted }: KeptTree): boolean {
  const isLinked = typeof stored !== 'number' && counted !== null;
  return isLinked || growing.attached.length > attachedStored;
}

const EMPTY: StoredTree = {
  faces: new Float64Array(),
  confidences: new Float64Array(),
  parts: new Int32Array(),
  cosines: new Float64Array(),
};
