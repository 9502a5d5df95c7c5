import type { AttachedStranger, StoredTree } from './followed-faces.ts';

/** A tree, and how many strangers were attached to it. */
export interface TreeVersion {
  readonly version: number;
  readonly attached: number;
}

export interface NewestTree {
  /** Null if no tree of the model is stored. */
  readonly tree: TreeVersion | null;
  /**
   * The groups have the strangers of all changes that were committed before this time. It never goes back, and stays the
   * same while nothing changes. Null without groups of the model.
   */
  readonly asOf: Date | null;
}

/** A stranger as a member of a group. */
export interface GroupMember {
  readonly id: number;
  readonly cropKey: string;
  readonly confidence: number;
  readonly detectedAt: Date;
}

/** Reads the groups of strangers of one environment. */
export interface GroupReader {
  newest(modelId: number): Promise<NewestTree>;
  /** A tree without the strangers that were attached to it; null if it is not stored any more. */
  tree(modelId: number, version: number): Promise<StoredTree | null>;
  /** The first strangers that were attached to a tree, in their order; null if they are not stored any more. */
  attached(modelId: number, tree: TreeVersion): Promise<readonly AttachedStranger[] | null>;
  /** The trees of the model that are stored, newest first, at most `limit`. */
  versions(modelId: number, limit: number): Promise<readonly TreeVersion[]>;
  /** The faces that the newest tree may contain, although they are no strangers any more. */
  departed(): Promise<readonly number[]>;
  /** Returns those of some faces whose departure is stored, in the order of their departures. */
  departures(ids: readonly number[]): Promise<readonly number[]>;
  /** Returns the faces that are strangers, in any order. */
  members(ids: readonly number[]): Promise<readonly GroupMember[]>;
  countStrangers(): Promise<number>;
  /** The mismatches have all changes that were committed before this time; like {@link NewestTree.asOf}. */
  scoredAt(modelId: number): Promise<Date | null>;
}
