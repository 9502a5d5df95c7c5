import type { Detection, ReviewStatus } from '../../detections/detection.ts';
import type { Candidate } from '../../identities/candidate.ts';
import type { NewIdentity } from '../../identities/identity.ts';
import type { ReferenceLink } from '../../references/reference.ts';
import type { EntityLock } from '../../store/entity-lock.ts';
import type { FileName } from '../run/image-files.ts';
import type { ImageRun, StorableRun } from '../run/image-run.ts';
import type { ImageState, PlannableState } from '../state/image-state.ts';

/** The rows that a run changes, decided before anything is written. */
export interface RowsPlan {
  readonly run: StorableRun;
  /** The state that the plan was made from. */
  readonly state: PlannableState;
  /** In the order of the faces of the run. */
  readonly faces: readonly FacePlan[];
  /** In the order of the objects of the run. */
  readonly objects: readonly DetectionPlan[];
  /** Identities to create, each once. */
  readonly created: readonly NewIdentity[];
  /** Stored detections to remove. */
  readonly removed: readonly Detection[];
  readonly revoked: readonly ReferenceLink[];
  /** Identities that lose their cover. */
  readonly uncovered: readonly number[];
  /** The caller's name that a stored image gets; null: it keeps its own. */
  readonly externalRef: string | null;
  /** The files that new rows refer to. */
  readonly files: readonly FileName[];
  /** The locks of everything that the plan touches or refers to. */
  readonly locks: readonly EntityLock[];
}

/** The plan of an image that was analyzed. */
export interface ImagePlan extends RowsPlan {
  readonly run: ImageRun;
  readonly state: ImageState;
  readonly faces: readonly AnalyzedFacePlan[];
}

/** The plan of one face or object that was found. */
export interface DetectionPlan {
  /** The stored detection that the finding is; null: it becomes a new detection. */
  readonly stored: Detection | null;
  /** Null: the stored detection stays as it is. */
  readonly decision: PlannedDecision | null;
}

/** The plan of one face. */
export interface FacePlan extends DetectionPlan {
  /** The removed detection that the new one replaces and whose rejections it inherits. */
  readonly replaces: Detection | null;
  /** References to make; null: none. */
  readonly enrollment: PlannedEnrollment | null;
}

/** The plan of one analyzed face. */
export interface AnalyzedFacePlan extends FacePlan {
  /** Whether the stored detection gets the embedding of the model that answered. */
  readonly addsEmbedding: boolean;
  /** Null: the stored suggestions stay. */
  readonly suggestions: readonly Candidate[] | null;
}

/** An existing identity by its id, or one that has to be created. */
export type PlannedIdentity = number | NewIdentity;

/** The identity that the request of a run names; null if it names none. */
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
  /** When each enrollment began, by model; absent: now. */
  readonly since?: ReadonlyMap<number, Date>;
}
