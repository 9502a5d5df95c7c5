import type { ReviewStatus } from '../detections/detection.ts';
import { NotAFace, NotRejected } from '../detections/detection-errors.ts';
import { NoEmbedding, NotAssigned } from '../references/reference-errors.ts';
import type { DecidedDetection, FaceRecord } from '../references/face-record.ts';
import type { ReferenceLink } from '../references/reference.ts';

/** An action that a person can take on a face; `relabel` also on an object. */
export type FaceAction = keyof typeof RULES;

/** The part of a detection that actions change. */
export interface FaceRow extends Omit<DecidedDetection, 'id' | 'type' | 'dismissedAt'> {
  readonly isDismissed: boolean;
}

/** Everything that the result of an action depends on. */
export interface FaceState extends Omit<FaceRecord, 'source'> {
  /** The active face model; null: none is active, or the action makes no reference. */
  readonly modelId: number | null;
}

/** The changes that an action makes. */
export interface FaceChange {
  readonly row: FaceRow;
  readonly revokes: readonly ReferenceLink[];
  /** Models for which the face becomes a reference of its identity. */
  readonly enrollsFor: readonly number[];
  /** Identity from which the face is no longer rejected. */
  readonly forgets: number | null;
  /** Null: this is no new rejection. Its identity is null if the face had none. */
  readonly rejects: { readonly identityId: number | null } | null;
}

/** A row of the table: how an action changes each part of the state. */
interface Rule {
  readonly of: 'faces' | 'detections';
  readonly onlyIf: 'always' | 'rejected' | 'assigned and embedded';
  readonly identity: 'given' | 'none' | 'last rejected' | 'kept';
  readonly status: ReviewStatus | 'kept';
  /**
   * The references of the face after the action. `of the identity`: one for the active model and
   * for each model that it had one for, so that a return to a previous model does not lose it. A
   * face without a vector of the active model gets one for each model that it has a vector of; the
   * job that embeds it later adds the missing one. `active`: one for the active model is added.
   */
  readonly references: 'of the identity' | 'none' | 'active' | 'kept';
  /** `forgotten`: the rejection from the new identity is deleted. */
  readonly rejection: 'forgotten' | 'added' | 'kept';
  readonly dismissed: 'yes' | 'no' | 'kept';
  /** `kept`: a review of the mismatch holds as long as the identity stays. */
  readonly mismatch: 'reviewed' | 'kept';
  /** Whether the service may never decide about the detection again. */
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

/** Whether the action may make a reference, so that the active model matters. */
export function mayEnroll(action: FaceAction): boolean {
  const { references }: Rule = RULES[action];
  return references === 'of the identity' || references === 'active';
}

/**
 * Decides what an action does to a face, whatever its state. An action that has been carried out
 * changes nothing when it is repeated, except that only a rejected face can be restored.
 *
 * @param given the identity that the action names
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
    rejects:
      rule.rejection === 'added' && detection.reviewStatus !== 'rejected'
        ? { identityId: detection.identityId }
        : null,
  };
}

/**
 * Refuses an action that the state does not allow.
 *
 * @throws as {@link planFaceAction}
 */
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

/** Whether the decision about the detection changes, or its dismissal ends. */
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
 * The identity from which the face was rejected last; null if there is none, or if that identity
 * was deleted.
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
  const wanted = new Set(moves ? references.map((reference) => reference.modelId) : []);
  if (modelId !== null && isEmbedded) wanted.add(modelId);
  else if (moves) for (const id of embeddedFor) wanted.add(id);
  for (const reference of kept) wanted.delete(reference.modelId);
  return {
    revokes: references.filter((reference) => !kept.includes(reference)),
    enrollsFor: [...wanted],
  };
}

function rejectionFrom({ rejections }: FaceState, identityId: number | null): number | null {
  return rejections.find((rejection) => rejection.identityId === identityId)?.identityId ?? null;
}
