import type { DetectionType } from '../detection-type.ts';
import type { Page } from '../store/page.ts';
import type { Identity, IdentityDetails, NewIdentity } from './identity.ts';

export interface IdentityFilter {
  readonly type?: DetectionType;
  /** Part of a label, or similar to one. */
  readonly name?: string;
  readonly externalRef?: string;
}

/** A position in the list of identities: by label as bytes, then type, then id. */
export interface IdentityPosition {
  readonly label: string;
  readonly type: DetectionType;
  readonly id: number;
}

/** The deletion or merge of an identity, which takes several transactions. */
export interface Deletion {
  /** The identity that gets its detections; null: they are deleted with it. */
  readonly mergedInto: number | null;
}

/** Does not find identities that are being deleted or merged: see {@link IdentityWriter.markDeleting} and `MergeWriter`. */
export interface IdentityReader {
  byId(id: number): Promise<Identity | null>;
  /** The identities with these ids that exist, ascending by id. */
  byIds(ids: readonly number[]): Promise<readonly Identity[]>;
  /** The identities with these labels that exist. */
  byLabels(type: DetectionType, labels: readonly string[]): Promise<readonly Identity[]>;
  /** In the order of {@link IdentityPosition}; a limit of null takes all. */
  list(
    filter: IdentityFilter,
    page: { readonly after: IdentityPosition | null; readonly limit: number | null },
  ): Promise<Page<Identity>>;
  /** @param modelId of the active face model; null if none is active */
  details(id: number, modelId: number | null): Promise<IdentityDetails | null>;
  /**
   * The number of identities that match. Without a name or an external reference, counting takes
   * the same time however many there are.
   */
  count(filter: IdentityFilter): Promise<number>;
  /** The same identities with their details, in the same order. */
  withDetails(
    identities: readonly Identity[],
    modelId: number | null,
  ): Promise<readonly IdentityDetails[]>;
}

export interface IdentityWriter {
  /** Needs the locks of the labels, which must be free. */
  insert(identities: readonly NewIdentity[]): Promise<readonly Identity[]>;
  /** Needs the lock of the identity, exclusive, and that of the label, which must be free. */
  rename(identity: Identity, label: string): Promise<void>;
  /** Needs the lock of the identity, exclusive. */
  setExternalRef(id: number, externalRef: string | null): Promise<void>;
  /** Needs the lock of the identity, exclusive; null: use its newest confirmed detection. */
  setCover(id: number, detectionId: number | null): Promise<void>;
  /**
   * Clears the cover of the identity if it is this detection; answers whether it was. Needs the lock of
   * the identity, exclusive.
   */
  dropCover(id: number, detectionId: number): Promise<boolean>;
  /**
   * Begins the deletion of an identity in several transactions: from the commit on, readers find neither
   * the identity nor its detections, and its label is free. Its rows stay, for the steps that follow.
   * Needs the lock of the identity, exclusive.
   */
  markDeleting(id: number): Promise<void>;
  /** The deletion that has begun; null if there is none, or it has ended. */
  deletion(id: number): Promise<Deletion | null>;
  /** The identities that merge into this one, ascending. It must not be deleted or merged before they end. */
  mergingInto(id: number): Promise<readonly number[]>;
  /**
   * Deletes suggestions of the identity and rejections from it, at most so many; answers how many. Needs
   * the lock of the identity, exclusive.
   */
  forget(id: number, limit: number): Promise<number>;
  /**
   * Deletes an identity whose detections have been removed, with its remaining suggestions and
   * rejections. Needs the lock of the identity, exclusive.
   */
  delete(id: number): Promise<void>;
}
