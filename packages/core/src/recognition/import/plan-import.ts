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

/** The plan of an image of an archive. */
export interface ImportPlan extends RowsPlan {
  readonly run: ImportRun;
  readonly state: ImportState;
  /** The additions to each face, then to each object. */
  readonly added: readonly AddedBelongings[];
}

/** The rows that an archive adds to a detection, new or stored. */
export interface AddedBelongings {
  /** Vectors that the detection has none of. */
  readonly vectors: readonly LibraryVector[];
  /** The oldest first, without those that are stored. */
  readonly rejections: readonly LibraryRejection<PlannedIdentity>[];
  /** When a person dismissed it, if a stored detection becomes dismissed; null: no change. */
  readonly dismissedAt: Date | null;
  /** Whether a stored detection leaves the list of mismatches. */
  readonly reviewsMismatch: boolean;
  /** The identity that it becomes the cover of; null: no change. */
  readonly covers: PlannedIdentity | null;
}

interface Context {
  readonly state: ImportState;
  /** The identities of stored faces that keep them, by detection. */
  readonly held: ReadonlyMap<number, number>;
}

/**
 * Decides how the faces and objects that an archive has of an image are stored. New detections are
 * stored as the archive has them, except that an automatic assignment to an identity that already
 * has a stored face in the image becomes undecided. For a stored detection:
 *
 * - a person's decision stays; an automatic one is replaced by a person's decision in the archive,
 *   or by an automatic assignment in the archive that is stronger;
 * - vectors and rejections are added, and references if the archive names the same identity;
 * - the archive's cover is set if the identity has none.
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
    // An archive adds what is missing and replaces nothing.
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

/** The plan of a detection, and what the archive adds to it. */
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
 * Finds the identities that stored faces keep. A face that leaves its identity may make room for another
 * face, which leaves its own. This repeats until no face leaves, so that a second import of the same archive
 * changes nothing.
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
  /** The detection in the archive. */
  readonly archived: ImportedDetection;
  /** The stored detection that it overlaps. */
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

/** @returns null: the stored detection stays as it is */
function decide(found: FoundDetection, context: Context): PlannedDecision | null {
  const { archived, stored } = found;
  const decision = decisionOf(archived, context);
  if (stored === null) {
    return isPersonal(archived) || !isTaken(decision, found, context) ? decision : UNDECIDED;
  }
  return decideStored({ ...found, stored }, decision, context);
}

/** @returns null: the stored detection stays as it is */
function decideStored(
  found: FoundDetection & { readonly stored: Detection },
  decision: PlannedDecision,
  context: Context,
): PlannedDecision | null {
  const { archived, stored } = found;
  // A stored decision of a person stays, even if a person has decided in the archive, too.
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

/** A person has rejected this identity for the stored face: no archive takes that back. */
function isPermitted(
  { identity }: PlannedDecision,
  { id }: Detection,
  { state }: Context,
): boolean {
  return typeof identity !== 'number' || state.rejections.get(id)?.has(identity) !== true;
}

/** An assignment is stronger than none, and a confirmed one stronger than one that needs review. */
function isStronger(decision: PlannedDecision, kept: PlannedDecision | Detection): boolean {
  return strengthOf(decision) > strengthOf(kept);
}

function strengthOf(decided: PlannedDecision | Detection): number {
  const identity = 'identityId' in decided ? decided.identityId : decided.identity;
  if (identity === null) return 0;
  return decided.reviewStatus === 'confirmed' ? 2 : 1;
}

/** Automatic assignment gives an identity at most one face of an image. */
function isTaken(
  { identity }: PlannedDecision,
  { stored }: FoundDetection,
  { held }: Context,
): boolean {
  // Identities of objects, and those that the import creates, have no face.
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

/** The outcome for a detection's identity. */
interface Outcome {
  /** The identity after the import. */
  readonly identity: PlannedIdentity | null;
  /** Whether that is the identity of the archive. */
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

/** Whether a review has to be stored: an earlier one does not count for another identity. */
function needsReview(stored: Detection, identity: PlannedIdentity | null): boolean {
  return !stored.mismatchReviewed || stored.identityId !== identity;
}

/**
 * Selects the rejections that are not stored yet. The archive determines which identity a restore
 * assigns only if its decision is taken over.
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

/** References of other models move along with those of the archive, so that they are not lost. */
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

/** The id of the identity if it exists, else the identity itself, to be created. */
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
