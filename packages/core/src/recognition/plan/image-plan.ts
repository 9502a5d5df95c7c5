import type { Detection, ReviewStatus } from '../../detections/detection.ts';
import type { Candidate } from '../../identities/candidate.ts';
import type { NewIdentity } from '../../identities/identity.ts';
import type { ReferenceLink } from '../../references/reference.ts';
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
  readonly objects: readonly ObjectPlan[];
  /** Identities to create, each once. */
  readonly created: readonly NewIdentity[];
  /** Stored detections to remove. */
  readonly removed: readonly Detection[];
  readonly revoked: readonly ReferenceLink[];
  /** Identities that lose their cover. */
  readonly uncovered: readonly number[];
}

/** What becomes of one analyzed face. */
export interface FacePlan {
  /** The stored detection that the face is; null: it becomes a new detection. */
  readonly stored: Detection | null;
  /** The removed detection that the new one replaces and whose rejections it inherits. */
  readonly replaces: Detection | null;
  /** Null: the stored detection stays as it is. */
  readonly decision: PlannedDecision | null;
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
}

/** What becomes of one analyzed object. */
export interface ObjectPlan {
  /** The stored detection that the object is; null: it becomes a new detection. */
  readonly stored: Detection | null;
  /** The identity of its class; a stored detection keeps its own. Null: drawn, and not named. */
  readonly identity: PlannedIdentity | null;
}

/** A key of an identity to create. */
export function identityKey({ type, label }: NewIdentity): string {
  return `${type} ${label}`;
}

/** Stored faces that leave their identity. */
export function movedFaces(faces: readonly FacePlan[]): readonly Detection[] {
  return faces.flatMap(({ stored, decision }) =>
    stored !== null && decision !== null && stored.identityId !== decision.identity ? [stored] : [],
  );
}
