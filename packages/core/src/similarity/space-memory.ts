import type { SpaceState, StoredTree } from '../groups/followed-faces.ts';
import type { GrowingTree } from './growing-tree.ts';
import type { DueSpace } from './similarity-queue.ts';
import { NeighborLists } from './neighbor-lists.ts';

export interface PresentStranger {
  readonly confidence: number;
  /** The checksum of the vector. */
  readonly fingerprint: number;
  /** When the vector came into memory, on the clock of the lists. */
  readonly arrivedAt: number;
}

/** Groups that were linked, with the counters of {@link SpaceMemory} when that began. */
export interface LinkedGroups extends Pick<
  SpaceMemory,
  'changes' | 'changedStrangers' | 'currentAt'
> {
  readonly tree: StoredTree;
}

/** A tree that grows, and how much of it is stored. */
export interface KeptTree {
  readonly growing: GrowingTree;
  /** Null before anything of it is stored. */
  version: number | null;
  /** Groups that are to be stored before attached faces; null if they are stored. */
  linked: LinkedGroups | null;
  /** How many of the attached faces are stored. */
  attachedStored: number;
  /** How many faces were attached when the tree was read. */
  readonly attachedBefore: number;
  /** The strangers of this time are linked or attached. */
  asOf: Date;
}

/**
 * The memory of the process that follows a space, beside the vectors of the open faces. It is valid as long
 * as the turn of the space is the one that this process has stored last.
 */
export class SpaceMemory {
  /** Null before anything was stored for the space. */
  turn: number | null;
  /** All changes that were committed before this time have been applied. */
  currentAt: Date;
  readonly lists = new NeighborLists();
  /** The strangers, whose vectors are in memory. */
  readonly strangers = new Map<number, PresentStranger>();
  /** The open faces that are no strangers, whose vectors are in memory, too. */
  readonly otherFaces = new Set<number>();
  /** Whether the vectors and lists have been loaded. Changes that concern no open face do without. */
  isLoaded = false;
  /** How often strangers or their neighbors have changed. */
  changes = 0;
  changedAt = -Infinity;
  /** How many strangers came or left since those of the newest tree. */
  changedStrangers = 0;
  /** The number of {@link SpaceMemory.changes} that the newest tree has. Null if it is not known. */
  linkedChanges: number | null;
  /** Null if it was not read yet. */
  tree: KeptTree | null = null;
  /** How many works on the tree are under way. They need what is in memory. */
  treeWorks = 0;
  /** Whether the vectors in memory were lost, so that all of this has to be read again. */
  isLost = false;

  constructor({ turn, isSettled, currentAt }: SpaceState) {
    this.turn = turn;
    this.currentAt = currentAt;
    this.linkedChanges = isSettled ? 0 : null;
  }

  /** Notes that all changes that were committed before a time have been applied. */
  isCurrent(at: Date): void {
    if (at > this.currentAt) this.currentAt = at;
  }

  strangersChanged(count: number): void {
    this.changedStrangers += count;
    this.neighborsChanged();
  }

  neighborsChanged(): void {
    this.changes++;
    this.changedAt = performance.now();
  }
}

/** A space, and the memory of the process that follows it. */
export interface Followed {
  readonly space: DueSpace;
  readonly memory: SpaceMemory;
}

/** The memory of a stranger beside its vector, in bytes: the ids and cosines of its neighbors, and its place in the tree. */
const LIST_BYTES = 1_000;

/** The memory that a space takes. */
export function bytesOf({ space, memory: { strangers, otherFaces } }: Followed): number {
  const faces = strangers.size + otherFaces.size;
  const vectors = faces * space.dimension * Float32Array.BYTES_PER_ELEMENT;
  return vectors + LIST_BYTES * strangers.size;
}
