import type { DetectionType } from '../detection-type.ts';
import type { Buckets } from '../store/buckets.ts';
import type { Page } from '../store/page.ts';
import type { ListPosition } from '../store/list-position.ts';
import type { Identity, IdentityDetails, NewIdentity } from './identity.ts';

export interface IdentityFilter {
  readonly type?: DetectionType;
  /** A text that the label contains, regardless of case and accents. */
  readonly name?: string;
  readonly externalRef?: string;
  /** The least number of detections. */
  readonly minDetections?: number;
  /** Whether only identities with detections that wait for review are listed. */
  readonly hasPending?: boolean;
}

/**
 * `label`: by the bytes of the label, then by type. The other orders are descending: by the number of detections, by the
 * time of the creation, and by that of the newest detection, with identities without one at the end.
 */
export type IdentityOrder = 'label' | 'detections' | 'newest' | 'last_seen';

/**
 * A position in a list of identities. The value of the order `label` is that of {@link labelValue}; the value of
 * `last_seen` is null for an identity without a detection.
 */
export type IdentityPlace = ListPosition<string | number | Date | null>;

/** The value of a position in the order `label`. No label contains the character between label and type. */
export function labelValue({ label, type }: Pick<IdentityPosition, 'label' | 'type'>): string {
  return `${label}\u0001${type}`;
}

/** A position in the list of identities, which is ordered by the bytes of the label, then by type, then by id. */
export interface IdentityPosition {
  readonly label: string;
  readonly type: DetectionType;
  readonly id: number;
}

/** The deletion or merge of an identity, which takes several transactions. */
export interface Deletion {
  /** The identity that gets the detections; null if they are deleted. */
  readonly mergedInto: number | null;
}

/** Reads identities, except those that are being deleted or merged. */
export interface IdentityReader {
  byId(id: number): Promise<Identity | null>;
  /** Returns the existing identities with these ids, ascending by id. */
  byIds(ids: readonly number[]): Promise<readonly Identity[]>;
  byLabels(type: DetectionType, labels: readonly string[]): Promise<readonly Identity[]>;
  /**
   * Lists identities in the order of {@link IdentityPosition}. Without a limit, the page has all of them. The filters by
   * detections are only for {@link places} and {@link count}.
   */
  list(
    filter: IdentityFilter,
    page: { readonly after: IdentityPosition | null; readonly limit: number | null },
  ): Promise<Page<Identity>>;
  /** Lists the positions of identities in any order and with any filter. Without a limit, the page has all of them. */
  places(
    filter: IdentityFilter,
    page: {
      readonly order: IdentityOrder;
      readonly after: IdentityPlace | null;
      readonly limit: number | null;
    },
  ): Promise<Page<IdentityPlace>>;
  /** Divides the list of {@link places} into buckets. */
  buckets(filter: IdentityFilter, order: IdentityOrder): Promise<Buckets<IdentityPlace['value']>>;
  /** Returns the ids of all identities after a position, in the order of {@link IdentityPosition}. */
  ids(filter: IdentityFilter, after: IdentityPosition | null): Promise<readonly number[]>;
  /** @param modelId the id of the active face model; null if no face model is active */
  details(id: number, modelId: number | null): Promise<IdentityDetails | null>;
  /** Counts the identities that match. The time is constant if the filter has only a type. */
  count(filter: IdentityFilter): Promise<number>;
  /** Returns the identities with their details, in the same order. */
  withDetails(
    identities: readonly Identity[],
    modelId: number | null,
  ): Promise<readonly IdentityDetails[]>;
}

export interface IdentityWriter {
  /** Inserts identities whose labels no other identity of the type has. Needs the locks of these labels. */
  insert(identities: readonly NewIdentity[]): Promise<readonly Identity[]>;
  /**
   * Gives the identity a label that no other identity of the type has. Needs the exclusive lock of the identity, and
   * the lock of the new label.
   */
  rename(identity: Identity, label: string): Promise<void>;
  /** Needs the exclusive lock of the identity. */
  setExternalRef(id: number, externalRef: string | null): Promise<void>;
  /**
   * Sets the detection by which the identity is shown; null for the newest confirmed detection. Needs the exclusive
   * lock of the identity.
   */
  setCover(id: number, detectionId: number | null): Promise<void>;
  /**
   * Clears the covers of identities that are these detections. Returns the ids of the detections that were covers. Needs
   * the exclusive locks of the identities.
   */
  dropCovers(
    covers: readonly { readonly identityId: number; readonly detectionId: number }[],
  ): Promise<readonly number[]>;
  /**
   * Starts the deletion of an identity, which takes several transactions. After the commit, readers find neither the
   * identity nor its detections, and its label is free; its rows still exist. Needs the exclusive lock of the identity.
   */
  markDeleting(id: number): Promise<void>;
  /**
   * Returns the deletion or merge that has started, and records that it takes another step; null if none has started, or
   * it has ended. Needs the exclusive lock of the identity.
   */
  continueDeletion(id: number): Promise<Deletion | null>;
  /**
   * Returns the ids of identities that are being merged into this one. This one must not be deleted before these
   * merges end.
   */
  mergingInto(id: number): Promise<readonly number[]>;
  /**
   * Deletes at most `limit` suggestions of the identity and rejections from it. Returns how many were deleted. Needs the
   * exclusive lock of the identity.
   */
  forget(id: number, limit: number): Promise<number>;
  /**
   * Deletes an identity whose detections have been removed, with its remaining suggestions and rejections. Needs the
   * exclusive lock of the identity.
   */
  delete(id: number): Promise<void>;
}
