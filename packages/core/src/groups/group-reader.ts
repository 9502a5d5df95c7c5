import type { StoredTree } from './followed-faces.ts';

export interface TreeVersion {
  /** Null if no tree of the model is stored. */
  readonly version: number | null;
  /** The time whose strangers the groups have; null without data of the model. */
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
  /** The newest version of the tree. */
  newest(modelId: number): Promise<TreeVersion>;
  /** A version of the tree; null if it is not stored any more. */
  tree(modelId: number, version: number): Promise<StoredTree | null>;
  /** The faces that stored trees may contain, although they are no strangers any more. */
  departed(): Promise<readonly number[]>;
  /** Returns the faces that are strangers, in any order. */
  members(ids: readonly number[]): Promise<readonly GroupMember[]>;
  countStrangers(): Promise<number>;
  /** The time whose confirmed faces the mismatches have; null without data of the model. */
  scoredAt(modelId: number): Promise<Date | null>;
}
