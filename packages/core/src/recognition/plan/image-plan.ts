import type { Detection, ReviewStatus } from '../../detections/detection.ts';
import type { Candidate } from '../../identities/candidate.ts';
import type { NewIdentity } from '../../identities/identity.ts';
import type { ReferenceLink } from '../../references/reference.ts';
import type { EntityLock } from '../../store/entity-lock.ts';
import type { FileName } from '../run/image-files.ts';
import type { ImageRun, StorableRun } from '../run/image-run.ts';
import type { ImageState, PlannableState } from '../state/image-state.ts';

/** The rows that a run will change. */
export interface RowsPlan {
  readonly run: StorableRun;
  /** The stored state on which the plan depends. */
  readonly state: PlannableState;
  /** The plans of the run's faces, in the same order. */
  readonly faces: readonly FacePlan[];
  /** The plans of the run's objects, in the same order. */
  readonly objects: readonly DetectionPlan[];
  /** The identities to create, without duplicates. */
  readonly created: readonly NewIdentity[];
  readonly removed: readonly Detection[];
  /** The references to remove. */
  readonly revoked: readonly ReferenceLink[];
  /** The identities that lose their cover. */
  readonly uncovered: readonly number[];
  /** The caller's own name for the image; null if a stored name is kept. */
  readonly externalRef: string | null;
  readonly files: readonly FileName[];
  /** The locks of all entities that the plan changes, and of identities to which new rows refer. */
  readonly locks: readonly EntityLock[];
}

export interface ImagePlan extends RowsPlan {
  readonly run: ImageRun;
  readonly state: ImageState;
  readonly faces: readonly AnalyzedFacePlan[];
}

export interface DetectionPlan {
  /** The stored detection to update; null if a new detection is inserted. */
  readonly stored: Detection | null;
  /** Null if the decision of the stored detection does not change. */
  readonly decision: PlannedDecision | null;
}

export interface FacePlan extends DetectionPlan {
  /** The removed detection whose rejections the new detection inherits; null if there is none. */
  readonly replaces: Detection | null;
  /** The references to create; null if the face is not enrolled. */
  readonly enrollment: PlannedEnrollment | null;
}

export interface AnalyzedFacePlan extends FacePlan {
  /** Whether the stored detection gets the embedding of this run. */
  readonly addsEmbedding: boolean;
  /** The suggestions that the run found; null if the face was not matched. */
  readonly suggestions: readonly Candidate[] | null;
}

/** The id of an existing identity, or an identity to create. */
export type PlannedIdentity = number | NewIdentity;

/** The identity that the request gives a face or a drawn object; null if the request contains none. */
export function namedIdentity({ named }: ImageRun, state: ImageState): PlannedIdentity | null {
  if (named === null) return null;
  return state.named?.id ?? ('identityId' in named ? named.identityId : named);
}

export interface PlannedDecision {
  readonly identity: PlannedIdentity | null;
  readonly similarity: number | null;
  readonly reviewStatus: ReviewStatus;
  readonly decidedBy: 'automatic' | 'human';
}

export interface PlannedEnrollment {
  readonly identity: PlannedIdentity;
  readonly modelIds: readonly number[];
  /** The times of the enrollments, by model id. The default is the current time. */
  readonly since?: ReadonlyMap<number, Date>;
}
