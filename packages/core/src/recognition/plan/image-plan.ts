import type { Detection, ReviewStatus } from '../../detections/detection.ts';
import type { Candidate } from '../../identities/candidate.ts';
import type { NewIdentity } from '../../identities/identity.ts';
import type { ReferenceLink } from '../../references/reference.ts';
import type { ArchivedRejection, ArchivedVector } from '../run/archived-facts.ts';
import type { ImageRun } from '../run/image-run.ts';
import type { ImageState } from '../state/image-state.ts';

/** What a run changes in the database, decided before anything is written. */
export interface ImagePlan {
  readonly run: ImageRun;
  /** The state that the plan was made from. */
  readonly state: ImageState;
  /** In the order of the analyzed faces. */
  readonly faces: readonly FacePlan[];
  /** In the order of the analyzed objects. */
  readonly objects: readonly DetectionPlan[];
  /** Identities to create, each once. */
  readonly created: readonly NewIdentity[];
  /** Stored detections to remove. */
  readonly removed: readonly Detection[];
  readonly revoked: readonly ReferenceLink[];
  /** Identities that lose their cover. */
  readonly uncovered: readonly number[];
}

/** What becomes of one face or object that was found. */
export interface DetectionPlan {
  /** The stored detection that it is; null: it becomes a new detection. */
  readonly stored: Detection | null;
  /** Null: the stored detection stays as it is. */
  readonly decision: PlannedDecision | null;
  /** What an archive adds to the detection, new or stored; absent: the run is of no archive. */
  readonly imported?: ImportPlan;
}

/** What becomes of one analyzed face. */
export interface FacePlan extends DetectionPlan {
  /** The removed detection that the new one replaces and whose rejections it inherits. */
  readonly replaces: Detection | null;
  /** Whether the stored detection gets the embedding of the model that answered. */
  readonly addsEmbedding: boolean;
  /** References to make; null: none. */
  readonly enrollment: PlannedEnrollment | null;
  /** Null: the stored suggestions stay. */
  readonly suggestions: readonly Candidate[] | null;
}

/** By id, or one that has to be created. */
export type PlannedIdentity = number | NewIdentity;

export interface PlannedDecision {
  readonly identity: PlannedIdentity | null;
  readonly similarity: number | null;
  readonly reviewStatus: ReviewStatus;
  readonly decidedBy: 'automatic' | 'human';
}

export interface PlannedEnrollment {
  readonly identity: PlannedIdentity;
  readonly modelIds: readonly number[];
  /** By model, where that was before now. */
  readonly since?: ReadonlyMap<number, Date>;
}

export interface ImportPlan {
  /** Vectors that the detection has none of. */
  readonly vectors: readonly ArchivedVector[];
  /** The oldest first, without those that are stored. */
  readonly rejections: readonly PlannedRejection[];
  /** Since when a stored detection is out of the review queue; null: no change. */
  readonly dismissedAt: Date | null;
  /** Whether a stored detection gets out of the list of mismatches. */
  readonly reviewsMismatch: boolean;
  /** The identity that is shown by it from now on; null: no change. */
  readonly covers: PlannedIdentity | null;
}

export interface PlannedRejection extends Omit<ArchivedRejection, 'identity'> {
  readonly identity: PlannedIdentity;
}

/** Stored detections that leave their identity. */
export function movedDetections(plans: readonly DetectionPlan[]): readonly Detection[] {
  return plans.flatMap(({ stored, decision }) =>
    stored !== null && decision !== null && stored.identityId !== decision.identity ? [stored] : [],
  );
}

/** Stored faces that keep their identity, but are not confirmed any more. */
export function reopenedFaces(faces: readonly FacePlan[]): readonly Detection[] {
  return faces.flatMap(({ stored, decision }) =>
    stored?.reviewStatus === 'confirmed' &&
    decision !== null &&
    decision.reviewStatus !== 'confirmed' &&
    stored.identityId === decision.identity
      ? [stored]
      : [],
  );
}
