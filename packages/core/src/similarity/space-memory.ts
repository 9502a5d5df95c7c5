import type { SpaceState } from '../groups/followed-faces.ts';
import type { GrowingTree } from './growing-tree.ts';
import { IdentityReadings } from './identity-readings.ts';
import type { ManyReferences } from './many-references.ts';
import type { DueSpace } from './similarity-queue.ts';
import { NeighborLists } from './neighbor-lists.ts';

export interface PresentStranger {
  readonly confidence: number;
  /** The checksum of the vector. */
  readonly fingerprint: number;
  /** When the vector came into memory, on the clock of the lists. */
  readonly arrivedAt: number;
}

/**
 * The memory of the process that follows a space, beside the vectors of the open faces. It is valid as long
 * as the turn of the space is the one that this process has stored last.
 */
export class SpaceMemory {
  /** Null before anything was stored for the space. */
  turn: number | null;
  readonly lists = new NeighborLists();
  /** The strangers, whose vectors are in memory. */
  readonly strangers = new Map<number, PresentStranger>();
  /** Whether the vectors and lists have been loaded. Changes that concern no open face do without. */
  isLoaded = false;
  /** How often strangers or their neighbors have changed. */
  changes = 0;
  changedAt = -Infinity;
  /** The number of {@link SpaceMemory.changes} that the newest tree has. Null if it is not known. */
  linkedChanges: number | null;
  /** When the next tree may be computed. */
  linkAfter = -Infinity;
  /** The newest tree, with the faces that were attached to it since; null if it was not read yet. */
  tree: GrowingTree | null = null;
  /** When faces may be attached to the tree again. */
  attachAfter = -Infinity;
  /** Many new references that are being compared with the open faces; else null. */
  manyReferences: ManyReferences | null = null;
  readonly readings = new IdentityReadings();
  /** Whether the vectors in memory were lost, so that all of this has to be read again. */
  isLost = false;

  constructor({ turn, isSettled }: Pick<SpaceState, 'turn' | 'isSettled'>) {
    this.turn = turn;
    this.linkedChanges = isSettled ? 0 : null;
  }

  strangersChanged(): void {
    this.changes++;
    this.changedAt = performance.now();
  }
}

/** A space, and the memory of the process that follows it. */
export interface Followed {
  readonly space: DueSpace;
  readonly memory: SpaceMemory;
}
