import type { AuditActions } from '../audit/audit-entry.ts';
import type { ReviewStatus } from '../detections/detection.ts';
import { NotAFace, NotRejected } from '../detections/detection-errors.ts';
import { NoEmbedding, NotAssigned } from '../references/reference-errors.ts';
import type { DecidedDetection, FaceRecord } from '../references/face-record.ts';
import type { ReferenceLink } from '../references/reference.ts';

/** A person's action on a face. `relabel` is also possible on an object. */
export type FaceAction = keyof typeof RULES;

export interface FaceRow extends Omit<DecidedDetection, 'id' | 'type' | 'dismissedAt'> {
  readonly isDismissed: boolean;
}

export interface FaceState extends Omit<FaceRecord, 'source'> {
  /** The id of the active face model; null if no face model is active, or the action adds no reference. */
  readonly modelId: number | null;
}

export interface FaceChange {
  readonly row: FaceRow;
  readonly revokes: readonly ReferenceLink[];
  /** The ids of the models for which the face becomes a reference of its identity. */
  readonly enrollsFor: readonly number[];
  /** The id of the identity from which the face was rejected, if this rejection is deleted; else null. */
  readonly forgets: number | null;
  /** The new rejection; null if the action rejects nothing. `identityId` is null if the face had no identity. */
  readonly rejects: { readonly identityId: number | null } | null;
}

interface Rule {
  readonly of: 'faces' | 'detections';
  readonly onlyIf: 'always' | 'rejected' | 'assigned and embedded';
  readonly identity: 'given' | 'none' | 'last rejected' | 'kept';
  readonly status: ReviewStatus | 'kept';
  /**
   * The references of the face after the action.
   *
   * - `of the identity`: one for the active model, and one for each model for which the face had a reference, so that
   *   returning to a previous model does not lose references. A face without a vector of the active model gets one for
   *   each model whose vector it has; the job that embeds the face later adds the missing one.
   * - `active`: the previous ones, and one for the active model.
   */
  readonly references: 'of the identity' | 'none' | 'active' | 'kept';
  /** `forgotten`: if the face was rejected from its new identity, that rejection is deleted. */
  readonly rejection: 'forgotten' | 'added' | 'kept';
  readonly dismissed: 'yes' | 'no' | 'kept';
  /** `kept`: a reviewed mismatch stays reviewed unless the identity changes. */
  readonly mismatch: 'reviewed' | 'kept';
  /** Whether the action is a person's decision, which no later run of the service changes. */
  readonly decides: boolean;
}

const ASSIGN = {
  of: 'faces',
  onlyIf: 'always',
  identity: 'given',
  status: 'confirmed',
  references: 'of the identity',
  rejection: 'forgotten',
  dismissed: 'no',
  mismatch: 'kept',
  decides: true,
} as const satisfies Rule;

const MARK = {
  of: 'faces',
  onlyIf: 'always',
  identity: 'kept',
  status: 'kept',
  references: 'kept',
  rejection: 'kept',
  dismissed: 'kept',
  mismatch: 'kept',
  decides: false,
} as const satisfies Rule;

const RULES = {
  confirm: ASSIGN,
  reassign: ASSIGN,
  relabel: { ...ASSIGN, of: 'detections' },
  unassign: {
    of: 'faces',
    onlyIf: 'always',
    identity: 'none',
    status: 'pending',
    references: 'none',
    rejection: 'kept',
    dismissed: 'no',
    mismatch: 'kept',
    decides: true,
  },
  reject: {
    of: 'faces',
    onlyIf: 'always',
    identity: 'none',
    status: 'rejected',
    references: 'none',
    rejection: 'added',
    dismissed: 'kept',
    mismatch: 'kept',
    decides: true,
  },
  restore: {
    of: 'faces',
    onlyIf: 'rejected',
    identity: 'last rejected',
    status: 'pending',
    references: 'none',
    rejection: 'forgotten',
    dismissed: 'no',
    mismatch: 'kept',
    decides: true,
  },
  enroll: {
    of: 'faces',
    onlyIf: 'assigned and embedded',
    identity: 'kept',
    status: 'confirmed',
    references: 'active',
    rejection: 'kept',
    dismissed: 'kept',
    mismatch: 'kept',
    decides: true,
  },
  revoke: { ...MARK, references: 'none' },
  dismiss: { ...MARK, dismissed: 'yes' },
  dismissMismatch: { ...MARK, mismatch: 'reviewed' },
} as const satisfies Record<string, Rule>;

/** The name of the action in the audit. */
export function auditedAction(action: FaceAction): AuditActions['detection'] {
  return action === 'dismissMismatch' ? 'dismiss_mismatch' : action;
}

/** Whether the action may add a reference, and therefore needs the active model. */
export function mayEnroll(action: FaceAction): boolean {
  const { references }: Rule = RULES[action];
  return references === 'of the identity' || references === 'active';
}

/**
 * Returns the changes that an action makes to a face. A repeated action changes nothing, except that a restored face
 * cannot be restored again.
 *
 * @param given the identity that the action names; optional for a rejection
 * @throws NotAFace, NotRejected, NotAssigned, NoEmbedding
 */
export function planFaceAction(
  action: FaceAction,
  face: FaceState,
  given: number | null = null,
): FaceChange {
  requirePossible(action, face);
  const rule: Rule = RULES[action];
  const { detection } = face;
  const identityId = identityAfter(rule, face, given);
  return {
    row: rowAfter(rule, detection, identityId),
    ...referencesAfter(rule, face, identityId),
    forgets: rule.rejection === 'forgotten' ? rejectionFrom(face, identityId) : null,
    rejects: rule.rejection === 'added' ? newRejection(face, given) : null,
  };
}

/** A face is rejected from the identity that the action names, or else once from its own. */
function newRejection(
  { detection, rejections }: FaceState,
  given: number | null,
): FaceChange['rejects'] {
  if (given === null) {
    return detection.reviewStatus === 'rejected' ? null : { identityId: detection.identityId };
  }
  const isKnown = rejections.some(({ identityId }) => identityId === given);
  return isKnown ? null : { identityId: given };
}

/** @throws NotAFace, NotRejected, NotAssigned, NoEmbedding if the state of the face does not allow the action */
export function requirePossible(
  action: FaceAction,
  { detection, isEmbedded }: Pick<FaceState, 'detection' | 'isEmbedded'>,
): void {
  const rule: Rule = RULES[action];
  const { id, type, reviewStatus, identityId } = detection;
  if (rule.of === 'faces' && type !== 'face') throw new NotAFace(id);
  if (rule.onlyIf === 'rejected' && reviewStatus !== 'rejected') throw new NotRejected(id);
  if (rule.onlyIf !== 'assigned and embedded') return;
  if (identityId === null) throw new NotAssigned(id);
  if (!isEmbedded) {
    throw new NoEmbedding(`Detection ${id} has no embedding of an active face model.`);
  }
}

/** Whether the change concerns the decision about the detection, or ends its dismissal. */
export function isDecided({ row }: FaceChange, detection: DecidedDetection): boolean {
  return (
    row.identityId !== detection.identityId ||
    row.similarity !== detection.similarity ||
    row.reviewStatus !== detection.reviewStatus ||
    row.decidedBy !== detection.decidedBy ||
    (!row.isDismissed && detection.dismissedAt !== null)
  );
}

/**
 * Returns the id of the identity from which the face was rejected last; null if the face was never rejected, or if that
 * identity was deleted.
 */
export function lastRejectedFrom({ rejections }: Pick<FaceState, 'rejections'>): number | null {
  return rejections.find(({ isLatest }) => isLatest)?.identityId ?? null;
}

function identityAfter(rule: Rule, face: FaceState, given: number | null): number | null {
  switch (rule.identity) {
    case 'given':
      return given;
    case 'none':
      return null;
    case 'last rejected':
      return lastRejectedFrom(face);
    case 'kept':
      return face.detection.identityId;
  }
}

function rowAfter(
  { status, decides, mismatch, dismissed }: Rule,
  detection: DecidedDetection,
  identityId: number | null,
): FaceRow {
  const stays = identityId === detection.identityId;
  return {
    identityId,
    similarity: stays ? detection.similarity : null,
    reviewStatus: status === 'kept' ? detection.reviewStatus : status,
    decidedBy: decides ? 'human' : detection.decidedBy,
    mismatchReviewed: mismatch === 'reviewed' || (stays && detection.mismatchReviewed),
    isDismissed: dismissed === 'kept' ? detection.dismissedAt !== null : dismissed === 'yes',
  };
}

function referencesAfter(
  rule: Rule,
  { references, modelId, isEmbedded, embeddedFor }: FaceState,
  identityId: number | null,
): Pick<FaceChange, 'revokes' | 'enrollsFor'> {
  if (rule.references === 'kept') return { revokes: [], enrollsFor: [] };
  if (rule.references === 'none') return { revokes: references, enrollsFor: [] };
  const moves = rule.references === 'of the identity';
  const kept = references.filter((reference) => !moves || reference.identityId === identityId);
  const added = new Set(moves ? references.map((reference) => reference.modelId) : []);
  if (modelId !== null && isEmbedded) added.add(modelId);
  else if (moves) for (const id of embeddedFor) added.add(id);
  for (const reference of kept) added.delete(reference.modelId);
  return {
    revokes: references.filter((reference) => !kept.includes(reference)),
    enrollsFor: [...added],
  };
}

function rejectionFrom({ rejections }: FaceState, identityId: number | null): number | null {
  return rejections.find((rejection) => rejection.identityId === identityId)?.identityId ?? null;
}
