import type { Detection } from '../../detections/detection.ts';
import { identityKey } from '../../identities/identity-key.ts';
import type { NewIdentity } from '../../identities/identity.ts';
import type { LibraryRejection, LibraryVector } from '../../library/library-image.ts';
import type {
  DetectionPlan,
  FacePlan,
  PlannedDecision,
  PlannedEnrollment,
  PlannedIdentity,
  RowsPlan,
} from '../plan/image-plan.ts';
import { pairBoxes } from '../plan/pair-boxes.ts';
import { planRows } from '../plan/plan-rows.ts';
import type { ImportedDetection, ImportRun } from './import-run.ts';
import type { ImportState } from './read-import-state.ts';

export interface ImportPlan extends RowsPlan {
  readonly run: ImportRun;
  readonly state: ImportState;
  /** The additions to each face, followed by the additions to each object. */
  readonly added: readonly AddedBelongings[];
}

/** The rows that an archive adds to a new or stored detection. */
export interface AddedBelongings {
  /** Vectors of models for which the detection has no vector. */
  readonly vectors: readonly LibraryVector[];
  /** Rejections that are not stored yet, the oldest first. */
  readonly rejections: readonly LibraryRejection<PlannedIdentity>[];
  /** The time at which a person dismissed the detection, if a stored detection becomes dismissed; else null. */
  readonly dismissedAt: Date | null;
  /** Whether a stored detection leaves the list of mismatches. */
  readonly reviewsMismatch: boolean;
  /** The identity whose cover the detection becomes; null if no cover changes. */
  readonly covers: PlannedIdentity | null;
}

interface Context {
  readonly state: ImportState;
  /** The identities that stored faces keep, by detection id. */
  readonly held: ReadonlyMap<number, number>;
}

/**
 * Decides how the detections of an archived image are stored. New detections are copied from the archive. However, a
 * new face loses its automatic assignment if another stored face of the image already has the identity. These rules
 * apply to a detection that is already stored:
 *
 * - A person's decision stays. An automatic decision is replaced by a person's decision in the archive, or by a
 *   stronger automatic assignment in the archive.
 * - Vectors and rejections are added. References are added if the archive has the same identity.
 * - The archive's cover is set if the identity has no cover.
 */
export function planImport(run: ImportRun, state: ImportState): ImportPlan {
  const faces = pairWithStored(run.faces, state);
  const context = { state, held: heldAfter(faces, state) };
  const plans = {
    faces: faces.map((found) => planFace(found, context)),
    objects: pairWithStored(run.objects, state).map((found) => planDetection(found, context)),
  };
  const all = [...plans.faces, ...plans.objects];
  const added = all.map((plan) => plan.added);
  const decided = {
    run,
    state,
    ...plans,
    removed: [],
    // Null keeps the stored external reference, which an archive never replaces.
    externalRef: state.source?.externalRef === null ? run.posted!.externalRef : null,
  };
  return {
    ...decided,
    added,
    ...planRows({
      ...decided,
      mentioned: all.flatMap(({ decision, added: { rejections } }) => [
        decision?.identity ?? null,
        ...rejections.map(({ identity }) => identity),
      ]),
      covered: added.map(({ covers }) => covers),
      touched: all.filter(isChanged).map(({ stored }) => stored),
      model: null,
    }),
  };
}

type Planned<Plan extends DetectionPlan> = Plan & { readonly added: AddedBelongings };

function isChanged({ decision, added }: Planned<DetectionPlan>): boolean {
  const { vectors, rejections, dismissedAt, reviewsMismatch } = added;
  return (
    decision !== null ||
    vectors.length > 0 ||
    rejections.length > 0 ||
    dismissedAt !== null ||
    reviewsMismatch
  );
}

/**
 * Finds the identities that stored faces keep. A face that loses its identity may make room for another face, which
 * then loses its own identity. The search repeats until no further face loses its identity. Therefore a second import
 * of the archive changes nothing.
 */
function heldAfter(faces: readonly FoundDetection[], state: ImportState): Context['held'] {
  const held = new Map<number, number>();
  for (const { id, type, identityId } of state.detections) {
    if (type === 'face' && identityId !== null) held.set(id, identityId);
  }
  for (;;) {
    const context = { state, held };
    const holders = faces.filter(({ stored }) => stored !== null && held.has(stored.id));
    const left = holders.filter((found) => {
      const decision = decide(found, context);
      return decision !== null && decision.identity !== found.stored!.identityId;
    });
    if (left.length === 0) return held;
    for (const { stored } of left) held.delete(stored!.id);
  }
}

interface FoundDetection {
  readonly archived: ImportedDetection;
  /** The stored detection that the archived one overlaps; null if there is none. */
  readonly stored: Detection | null;
}

function pairWithStored(
  found: readonly ImportedDetection[],
  { detections }: ImportState,
): readonly FoundDetection[] {
  const pairs = pairBoxes(found, detections);
  const stored = new Map(pairs.map((pair) => [pair.found, detections[pair.stored]!]));
  return found.map((archived, i) => ({ archived, stored: stored.get(i) ?? null }));
}

function planFace(found: FoundDetection, context: Context): Planned<FacePlan> {
  const { outcome, ...plan } = planDetection(found, context);
  const { decision } = plan;
  const enrollment = planEnrollment(found, { decision, outcome }, context);
  return { ...plan, replaces: null, enrollment };
}

function planDetection(
  found: FoundDetection,
  context: Context,
): Planned<DetectionPlan> & { readonly outcome: Outcome } {
  const { stored } = found;
  const decision = decide(found, context);
  const outcome = outcomeOf(found, decision, context);
  return { stored, decision, outcome, added: addedTo(found, outcome, context) };
}

function decisionOf(
  { identity, similarity, reviewStatus, decidedBy }: ImportedDetection,
  { state }: Context,
): PlannedDecision {
  return { identity: identity && known(identity, state), similarity, reviewStatus, decidedBy };
}

/** @returns null if the stored detection does not change */
function decide(found: FoundDetection, context: Context): PlannedDecision | null {
  const { archived, stored } = found;
  const decision = decisionOf(archived, context);
  if (stored === null) {
    return isPersonal(archived) || !isTaken(decision, found, context) ? decision : UNDECIDED;
  }
  return decideStored({ ...found, stored }, decision, context);
}

/** @returns null if the stored detection does not change */
function decideStored(
  found: FoundDetection & { readonly stored: Detection },
  decision: PlannedDecision,
  context: Context,
): PlannedDecision | null {
  const { archived, stored } = found;
  // A person's stored decision takes precedence over a person's decision in the archive.
  if (isPersonal(stored)) return null;
  const isRejected = isRejectedFrom(archived, stored.identityId, context);
  if (isPermitted(decision, stored, context)) {
    if (isPersonal(archived)) return decision;
    const kept = isRejected ? UNDECIDED : stored;
    if (isStronger(decision, kept) && !isTaken(decision, found, context)) return decision;
  }
  return isRejected ? UNDECIDED : null;
}

const UNDECIDED: PlannedDecision = {
  identity: null,
  similarity: null,
  reviewStatus: 'pending',
  decidedBy: 'automatic',
};

/** An archive must not assign an identity that a person has rejected for the stored face. */
function isPermitted(
  { identity }: PlannedDecision,
  { id }: Detection,
  { state }: Context,
): boolean {
  return typeof identity !== 'number' || state.rejections.get(id)?.has(identity) !== true;
}

/** A confirmed assignment is stronger than a pending one, which is stronger than no assignment. */
function isStronger(decision: PlannedDecision, kept: PlannedDecision | Detection): boolean {
  return strengthOf(decision) > strengthOf(kept);
}

function strengthOf(decided: PlannedDecision | Detection): number {
  const identity = 'identityId' in decided ? decided.identityId : decided.identity;
  if (identity === null) return 0;
  return decided.reviewStatus === 'confirmed' ? 2 : 1;
}

/** Whether another face of the image has the identity. Automatic assignment allows one face per identity and image. */
function isTaken(
  { identity }: PlannedDecision,
  { stored }: FoundDetection,
  { held }: Context,
): boolean {
  // An identity that the import creates has no id yet, so no stored face has it.
  if (typeof identity !== 'number') return false;
  return [...held].some(([id, identityId]) => id !== stored?.id && identityId === identity);
}

function isRejectedFrom(
  { rejections }: ImportedDetection,
  identityId: number | null,
  { state }: Context,
): boolean {
  if (identityId === null) return false;
  return rejections.some(({ identity }) => known(identity, state) === identityId);
}

interface Outcome {
  /** The identity of the detection after the import. */
  readonly identity: PlannedIdentity | null;
  /** Whether this identity is also the one in the archive. */
  readonly agrees: boolean;
  /** Whether the detection takes over the archive's decision. */
  readonly takes: boolean;
}

function outcomeOf(
  { archived, stored }: FoundDetection,
  decision: PlannedDecision | null,
  { state }: Context,
): Outcome {
  const identity = decision === null ? stored!.identityId : decision.identity;
  return {
    identity,
    agrees: archived.identity !== null && isSame(identity, known(archived.identity, state)),
    takes: stored === null || (decision !== null && decision !== UNDECIDED),
  };
}

function addedTo(found: FoundDetection, outcome: Outcome, context: Context): AddedBelongings {
  const { archived, stored } = found;
  const { identity, agrees } = outcome;
  return {
    vectors: archived.vectors.filter((vector) => isMissing(vector, stored, context)),
    rejections: planRejections(found, outcome, context),
    dismissedAt: stored !== null && outcome.takes ? archived.dismissedAt : null,
    reviewsMismatch:
      stored !== null && agrees && archived.mismatchReviewed && needsReview(stored, identity),
    covers: agrees && archived.isCover && isUncovered(archived, context) ? identity : null,
  };
}

function isMissing(
  { modelId }: LibraryVector,
  stored: Detection | null,
  { state }: Context,
): boolean {
  return stored === null || state.embedded.get(modelId)?.has(stored.id) !== true;
}

/**
 * Whether the archive's review of a mismatch has to be stored. A review that is already stored is valid only for the
 * identity that the face had then.
 */
function needsReview(stored: Detection, identity: PlannedIdentity | null): boolean {
  return !stored.mismatchReviewed || stored.identityId !== identity;
}

/**
 * Selects the rejections that are not stored yet. The latest rejection decides which identity a restore assigns, so the
 * archive's latest one is marked only if the detection takes over the archive's decision.
 */
function planRejections(
  { archived, stored }: FoundDetection,
  { identity, takes }: Outcome,
  { state }: Context,
): AddedBelongings['rejections'] {
  const rejected = stored === null ? undefined : state.rejections.get(stored.id);
  return archived.rejections
    .map((rejection) => ({
      identity: known(rejection.identity, state),
      rejectedAt: rejection.rejectedAt,
      isLatest: takes && rejection.isLatest,
    }))
    .filter(({ identity: from, isLatest }) => {
      const isKnown = typeof from === 'number' && rejected?.has(from) === true;
      return !isSame(from, identity) && (!isKnown || isLatest);
    });
}

/**
 * Plans the references of the detection. If the detection gets another identity, its existing references of other
 * models move to that identity, so that they are not lost.
 */
function planEnrollment(
  { archived, stored }: FoundDetection,
  { decision, outcome }: { readonly decision: PlannedDecision | null; readonly outcome: Outcome },
  { state }: Context,
): PlannedEnrollment | null {
  const { identity, agrees } = outcome;
  const { reviewStatus } = decision ?? stored!;
  const enrolled = archived.vectors.filter(({ enrolledAt }) => enrolledAt !== null);
  if (!agrees || reviewStatus !== 'confirmed' || enrolled.length === 0) return null;
  const present = state.references.filter(({ detectionId }) => detectionId === stored?.id);
  const modelIds = new Set([...enrolled, ...present].map(({ modelId }) => modelId));
  for (const { modelId, identityId } of present) {
    if (identityId === identity) modelIds.delete(modelId);
  }
  if (modelIds.size === 0) return null;
  const since = new Map(enrolled.map(({ modelId, enrolledAt }) => [modelId, enrolledAt!]));
  return { identity: identity!, modelIds: [...modelIds], since };
}

/** The id of an existing identity, or the new identity itself. */
function known(identity: NewIdentity, { mentioned }: ImportState): PlannedIdentity {
  return mentioned.get(identityKey(identity))?.id ?? identity;
}

function isSame(a: PlannedIdentity | null, b: PlannedIdentity | null): boolean {
  if (a === null || b === null) return false;
  if (typeof a === 'number' || typeof b === 'number') return a === b;
  return identityKey(a) === identityKey(b);
}

function isUncovered({ identity }: ImportedDetection, { state }: Context): boolean {
  const existing = identity === null ? undefined : state.mentioned.get(identityKey(identity));
  return (existing?.coverDetectionId ?? null) === null;
}

/** Whether a person decided about a detection or dismissed it. */
function isPersonal(detection: Pick<Detection, 'decidedBy' | 'dismissedAt'>): boolean {
  return detection.decidedBy === 'human' || detection.dismissedAt !== null;
}
