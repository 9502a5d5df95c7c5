import type { MismatchScore } from './mismatch-score.ts';
import type { ScoredFace } from './scored-face.ts';
import type { FollowedSpace } from './followed-space.ts';
import type { NeighborList } from './neighbor-list.ts';
import type { OpenFace } from './open-face.ts';

/** The kinds of changes that similarity follows. `losses`: identities that lost a reference. */
export const CHANGE_KINDS = ['faces', 'references', 'means', 'losses'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

export interface PendingChange {
  readonly id: number;
  /** The id of a detection, a reference or an identity, depending on the kind. */
  readonly entityId: number;
}

export type PendingChanges = Readonly<Record<ChangeKind, readonly PendingChange[]>>;

export interface SpaceState {
  /** The number of transactions that changed what is stored for the space; null if it was never followed. */
  readonly turn: number | null;
  /** The last face that was read, while all faces of the space are being read; else null. */
  readonly scannedTo: number | null;
  readonly isSettled: boolean;
  /** All changes that were committed before this time have been applied. */
  readonly currentAt: Date;
  /** The changes that were committed before this time have been applied, or are pending and do not rest. */
  readonly upTo: Date;
}

export interface FollowedFace extends OpenFace {
  readonly isOpen: boolean;
  readonly confidence: number;
  /** A checksum of the vector. */
  readonly fingerprint: number;
}

interface IdPage {
  readonly after: number;
  readonly limit: number;
}

/** Reads the faces of one environment whose similarity is followed. Pages are sorted by id. */
export interface FollowedFaceReader {
  /** @param page as of {@link FollowedFaceReader.pending} */
  state(modelId: number, page: { readonly restMs: number }): Promise<SpaceState>;
  /**
   * The pending changes, at most `limit` of each kind.
   *
   * @param page `restMs`: how long ago means must have changed, so that a burst of changes counts as one
   */
  pending(
    modelId: number,
    page: { readonly limit: number; readonly restMs: number },
  ): Promise<PendingChanges>;
  /** The faces that exist and have a vector of the model. */
  faces(modelId: number, ids: readonly number[]): Promise<readonly FollowedFace[]>;
  /** A page of all faces that have a vector of the model. */
  idsAfter(modelId: number, page: IdPage): Promise<readonly number[]>;
  /** A page of the faces to which an identity is suggested. */
  listing(modelId: number, identityId: number, page: IdPage): Promise<readonly number[]>;
  /** A page of the confirmed faces of an identity, as readers see it. */
  confirmed(identityId: number, page: IdPage): Promise<readonly number[]>;
  /** Finds which of the faces have a list of neighbors or suggestions, and their scores. */
  stored(modelId: number, ids: readonly number[]): Promise<StoredSimilarity>;
  neighborLists(
    modelId: number,
    page: IdPage,
  ): Promise<readonly (readonly [face: number, list: NeighborList])[]>;
  /** Returns the faces that can be compared with other references of their identities. */
  comparable(modelId: number, ids: readonly number[]): Promise<readonly ScoredFace[]>;
}

/** The stored rows of faces. `neighbors`: they have a list, or had one and are no strangers any more. */
export interface StoredSimilarity {
  /** The faces that were strangers and do not exist any more. Their lists were deleted with them. */
  readonly deleted: ReadonlySet<number>;
  readonly neighbors: ReadonlySet<number>;
  readonly suggested: ReadonlySet<number>;
  readonly scores: ReadonlyMap<number, MismatchScore>;
}

/** The next state of a space. */
export interface SpaceStep extends Pick<SpaceState, 'scannedTo' | 'isSettled'> {
  readonly turn: number;
  /** All changes that were committed before this time have been applied; null if the time stays as it was. */
  readonly currentAt: Date | null;
}

/** A tree of strangers, as parallel arrays. */
export interface StoredTree {
  /** The ids of the faces, ascending. */
  readonly faces: Float64Array;
  readonly confidences: Float64Array;
  /** The two nodes of each joining, one after the other. */
  readonly parts: Int32Array;
  readonly cosines: Float64Array;
}

/** A stranger that joined a tree after its groups had been linked. */
export interface AttachedStranger {
  readonly id: number;
  readonly confidence: number;
  /** The stranger is in the group of this face at each cosine up to the given one. Null if it is alone at any cosine. */
  readonly joined: { readonly face: number; readonly cosine: number } | null;
}

/**
 * Stores what follows from the similarity of faces. `existing` needs locks of the faces, so that none of them is deleted
 * before rows of them are stored in the same transaction. The other methods need no locks: the turn of the space orders
 * their transactions.
 */
export interface FollowedFaceWriter {
  /**
   * Continues from a turn.
   *
   * @param turn null if the space was never followed
   * @returns false if another process has continued from the turn; the transaction must then be abandoned
   */
  advance(modelId: number, turn: number | null, step: SpaceStep): Promise<boolean>;
  acknowledge(changes: readonly number[]): Promise<void>;
  /** Returns the detections that still exist. */
  existing(ids: readonly number[]): Promise<readonly number[]>;
  setNeighbors(
    modelId: number,
    lists: readonly (readonly [face: number, list: NeighborList])[],
  ): Promise<void>;
  removeNeighbors(modelId: number, faces: readonly number[]): Promise<void>;
  /** Stores scores of faces that are still confirmed as these identities, and whose mismatch was not dismissed. */
  setScores(modelId: number, scores: readonly MismatchScore[]): Promise<void>;
  removeScores(modelId: number, faces: readonly number[]): Promise<void>;
  /**
   * Adds a tree that has the strangers of a time. Its transaction must advance the space.
   *
   * @returns its version
   */
  addTree(modelId: number, tree: StoredTree, asOf: Date): Promise<number>;
  /**
   * Notes that the newest tree has the strangers of a time. Without a tree, none has been there. Its transaction must
   * advance the space.
   */
  confirmTree(modelId: number, asOf: Date): Promise<void>;
  /**
   * Attaches strangers to a tree, which then has those of a time. Its transaction must advance the space.
   *
   * @param to `from`: the number of strangers that were attached to it before
   */
  attach(
    modelId: number,
    strangers: readonly AttachedStranger[],
    to: { readonly version: number; readonly from: number; readonly asOf: Date },
  ): Promise<void>;
}

/** Reads open faces of any environment, for the memory of the process that follows it. */
export interface OpenFaceSource {
  /** @throws StoreUnavailable */
  page(space: FollowedSpace, page: IdPage, signal?: AbortSignal): Promise<readonly FollowedFace[]>;
}
