import type { Detection } from '../../detections/detection.ts';
import { type ArchivedFacts, type ArchivedVector, isPersonal } from '../run/archived-facts.ts';
import { identityKey } from '../../identities/identity-key.ts';
import type { ImageRun } from '../run/image-run.ts';
import type { ArchivedState, ImageState } from '../state/image-state.ts';
import type {
  DetectionPlan,
  FacePlan,
  ImagePlan,
  ImportPlan,
  PlannedDecision,
  PlannedEnrollment,
  PlannedIdentity,
  PlannedRejection,
} from '../plan/image-plan.ts';
import { type Boxed, pairBoxes } from '../plan/pair-boxes.ts';

interface Context {
  readonly state: ImageState;
  readonly archived: ArchivedState;
  /** The identities of stored faces that keep them, by detection. */
  readonly held: ReadonlyMap<number, number>;
}

/**
 * Decides what becomes of the faces and objects that an archive has of an image. What is new is stored
 * as the archive has it, but for an assignment by the service to an identity that has a stored face of
 * the image: nobody has decided about that one. Of a stored detection,
 *
 * - what a person decided stays; what the service decided gives way to a person's decision in the archive,
 *   and to an assignment by the service where there is none or only a weaker one;
 * - vectors, rejections and, as long as both mean the same identity, references are added;
 * - the archive's cover is taken by an identity that has none.
 */
export function planArchived(
  { analysis }: ImageRun,
  state: ImageState,
  archived: ArchivedState,
): Pick<ImagePlan, 'faces' | 'objects'> {
  const faces = (analysis.faces?.items ?? []).map(({ bbox, archived: facts }) => {
    return { facts: facts!, box: { bbox, type: 'face' as const, className: null } };
  });
  const objects = (analysis.objects?.items ?? []).map(({ bbox, className, archived: facts }) => {
    return { facts: facts!, box: { bbox, type: 'object' as const, className } };
  });
  const foundFaces = pairWithStored(faces, state);
  const held = heldAfter(foundFaces, { state, archived });
  const context = { state, archived, held };
  return {
    faces: foundFaces.map((found) => planFace(found, context)),
    objects: pairWithStored(objects, state).map((found) => planObject(found, context)),
  };
}

/**
 * What stored faces keep. One that leaves its identity may make room for another face, which leaves its
 * own: so it goes on until none leaves, and the same archive changes nothing once more.
 */
function heldAfter(
  faces: readonly FoundDetection[],
  { state, archived }: Omit<Context, 'held'>,
): Context['held'] {
  const held = new Map<number, number>();
  for (const { id, type, identityId } of state.detections) {
    if (type === 'face' && identityId !== null) held.set(id, identityId);
  }
  for (;;) {
    const context = { state, archived, held };
    const leaving = faces.filter(({ stored }) => stored !== null && held.has(stored.id));
    const left = leaving.filter((found) => {
      const decision = decide(found, context);
      return decision !== null && decision.identity !== found.stored!.identityId;
    });
    if (left.length === 0) return held;
    for (const { stored } of left) held.delete(stored!.id);
  }
}

interface FoundDetection {
  readonly facts: ArchivedFacts;
  /** The stored detection that it overlaps. */
  readonly stored: Detection | null;
}

function pairWithStored(
  found: readonly { readonly facts: ArchivedFacts; readonly box: Boxed }[],
  { detections }: ImageState,
): readonly FoundDetection[] {
  const boxes = found.map(({ box }) => box);
  const pairs = pairBoxes(boxes, detections);
  const stored = new Map(pairs.map((pair) => [pair.found, detections[pair.stored]!]));
  return found.map(({ facts }, i) => ({ facts, stored: stored.get(i) ?? null }));
}

function planFace(found: FoundDetection, context: Context): FacePlan {
  const { stored } = found;
  const decision = decide(found, context);
  const outcome = outcomeOf(found, decision, context);
  return {
    stored,
    replaces: null,
    decision,
    imported: planImport(found, outcome, context),
    addsEmbedding: false,
    enrollment: planEnrollment(found, { decision, outcome }, context),
    suggestions: stored === null ? [] : null,
  };
}

function planObject(found: FoundDetection, context: Context): DetectionPlan {
  const { stored } = found;
  const decision = decide(found, context);
  const outcome = outcomeOf(found, decision, context);
  return { stored, decision, imported: planImport(found, outcome, context) };
}

function decisionOf(
  { identity, similarity, reviewStatus, decidedBy }: ArchivedFacts,
  { archived }: Context,
): PlannedDecision {
  return { identity: identity && known(identity, archived), similarity, reviewStatus, decidedBy };
}

/** @returns null: the stored detection stays as it is */
function decide(found: FoundDetection, context: Context): PlannedDecision | null {
  const { facts, stored } = found;
  const decision = decisionOf(facts, context);
  if (stored === null) {
    return isPersonal(facts) || !isTaken(decision, found, context) ? decision : UNDECIDED;
  }
  return decideStored({ ...found, stored }, decision, context);
}

/** @returns null: the stored detection stays as it is */
function decideStored(
  found: FoundDetection & { readonly stored: Detection },
  decision: PlannedDecision,
  context: Context,
): PlannedDecision | null {
  const { facts, stored } = found;
  // Two persons have decided, or one has and the archive has no person's decision.
  if (isPersonal(stored)) return null;
  const isRejected = isRejectedFrom(facts, stored.identityId, context);
  if (isPermitted(decision, stored, context)) {
    if (isPersonal(facts)) return decision;
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

/** A person has said here that the face is somebody else: no archive takes that back. */
function isPermitted(
  { identity }: PlannedDecision,
  { id }: Detection,
  { state }: Context,
): boolean {
  return typeof identity !== 'number' || state.rejections.get(id)?.has(identity) !== true;
}

/** An assignment is more than none, and one without need of a review more than one that needs it. */
function isStronger(decision: PlannedDecision, kept: PlannedDecision | Detection): boolean {
  return strengthOf(decision) > strengthOf(kept);
}

function strengthOf(decided: PlannedDecision | Detection): number {
  const identity = 'identityId' in decided ? decided.identityId : decided.identity;
  if (identity === null) return 0;
  return decided.reviewStatus === 'confirmed' ? 2 : 1;
}

/** By automatic assignment an identity gets no face of an image where it has another one. */
function isTaken(
  { identity }: PlannedDecision,
  { stored }: FoundDetection,
  { held }: Context,
): boolean {
  // Identities of objects, and those that are new here, have no face.
  if (typeof identity !== 'number') return false;
  return [...held].some(([id, identityId]) => id !== stored?.id && identityId === identity);
}

function isRejectedFrom(
  { rejectedFrom }: ArchivedFacts,
  identityId: number | null,
  { archived }: Context,
): boolean {
  if (identityId === null) return false;
  return rejectedFrom.some(({ identity }) => known(identity, archived) === identityId);
}

/** What becomes of a detection's identity. */
interface Outcome {
  /** From now on. */
  readonly identity: PlannedIdentity | null;
  /** Whether that is the identity of the archive. */
  readonly agrees: boolean;
  /** Whether the detection becomes what the archive says. */
  readonly takes: boolean;
}

function outcomeOf(
  { facts, stored }: FoundDetection,
  decision: PlannedDecision | null,
  { archived }: Context,
): Outcome {
  const identity = decision === null ? stored!.identityId : decision.identity;
  return {
    identity,
    agrees: facts.identity !== null && isSame(identity, known(facts.identity, archived)),
    takes: stored === null || (decision !== null && decision !== UNDECIDED),
  };
}

function planImport(found: FoundDetection, outcome: Outcome, context: Context): ImportPlan {
  const { facts, stored } = found;
  const { identity, agrees } = outcome;
  return {
    vectors: facts.vectors.filter((vector) => isMissing(vector, stored, context)),
    rejections: planRejections(found, outcome, context),
    dismissedAt: stored !== null && outcome.takes ? facts.dismissedAt : null,
    reviewsMismatch:
      stored !== null && agrees && facts.mismatchReviewed && needsReview(stored, identity),
    covers: agrees && facts.isCover && isUncovered(facts, context) ? identity : null,
  };
}

function isMissing(
  { modelId }: ArchivedVector,
  stored: Detection | null,
  { archived }: Context,
): boolean {
  return stored === null || archived.embedded.get(modelId)?.has(stored.id) !== true;
}

/** Another identity makes a mismatch that was reviewed one that was not. */
function needsReview(stored: Detection, identity: PlannedIdentity | null): boolean {
  return !stored.mismatchReviewed || stored.identityId !== identity;
}

/** Those that are new; what a restore brings back is told by the archive if the decision is. */
function planRejections(
  { facts, stored }: FoundDetection,
  { identity, takes }: Outcome,
  { state, archived }: Context,
): readonly PlannedRejection[] {
  const rejected = stored === null ? undefined : state.rejections.get(stored.id);
  return facts.rejectedFrom
    .map((rejection) => ({
      identity: known(rejection.identity, archived),
      rejectedAt: rejection.rejectedAt,
      isLatest: takes && rejection.isLatest,
    }))
    .filter(({ identity: from, isLatest }) => {
      const isKnown = typeof from === 'number' && rejected?.has(from) === true;
      return !isSame(from, identity) && (!isKnown || isLatest);
    });
}

/** References of other models move along with those of the archive, so that they are not lost. */
function planEnrollment(
  { facts, stored }: FoundDetection,
  { decision, outcome }: { readonly decision: PlannedDecision | null; readonly outcome: Outcome },
  { state }: Context,
): PlannedEnrollment | null {
  const { identity, agrees } = outcome;
  const { reviewStatus } = decision ?? stored!;
  const enrolled = facts.vectors.filter(({ enrolledAt }) => enrolledAt !== null);
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

/** By its id, if there is such an identity. */
function known(
  identity: NonNullable<ArchivedFacts['identity']>,
  { identities }: ArchivedState,
): PlannedIdentity {
  return identities.get(identityKey(identity))?.id ?? identity;
}

function isSame(a: PlannedIdentity | null, b: PlannedIdentity | null): boolean {
  if (a === null || b === null) return false;
  if (typeof a === 'number' || typeof b === 'number') return a === b;
  return identityKey(a) === identityKey(b);
}

function isUncovered({ identity }: ArchivedFacts, { archived }: Context): boolean {
  const there = identity === null ? undefined : archived.identities.get(identityKey(identity));
  return (there?.coverDetectionId ?? null) === null;
}
