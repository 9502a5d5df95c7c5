import type { PendingChange } from '../groups/followed-faces.ts';
import type { Candidate } from '../identities/candidate.ts';
import type { SpaceMemory } from './space-memory.ts';

/** A part of a comparison, in a turn of the space. */
export interface ComparedPart {
  readonly memory: SpaceMemory;
  /** Identities that lost a reference since the vectors were read. */
  readonly losers: readonly number[];
  /** Faces that are compared with all references in the same turn, because they have changed. */
  readonly changed: readonly number[];
  /** The most faces that are compared. */
  readonly most: number;
}

/**
 * New references, or means that changed, which are compared with the open faces. That may take several turns, each of
 * which has some of the faces, and goes on where the last one ended, also if the memory of the space was forgotten in
 * between.
 */
export interface NewVectors {
  /** The changes that are followed when all faces have been compared. */
  readonly changes: readonly PendingChange[];
  readonly isDone: boolean;
  /** The memory of vectors that can be released, in bytes. */
  readonly bytes: number;
  /**
   * Compares the next faces.
   *
   * @returns the faces whose suggestions change
   * @throws StoreUnavailable, VectorsUnavailable
   */
  next(part: ComparedPart): Promise<Map<number, readonly Candidate[]>>;
  /** Releases the memory of vectors, which are read again when they are needed. @throws VectorsUnavailable */
  release(): Promise<void>;
}
