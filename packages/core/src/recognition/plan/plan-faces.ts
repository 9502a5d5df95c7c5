import type { Detection } from '../../detections/detection.ts';
import { decideFaces, type FaceDecision } from '../../matching/decide-face.ts';
import { type FoundFace, type ImageRun, mostCertainFace } from '../run/image-run.ts';
import type { ImageState } from '../state/image-state.ts';
import {
  type AnalyzedFacePlan,
  namedIdentity,
  type PlannedDecision,
  type PlannedEnrollment,
  type PlannedIdentity,
} from './image-plan.ts';
import { pairBoxes } from './pair-boxes.ts';

interface PairedFace {
  readonly face: FoundFace;
  readonly index: number;
  /** The stored face that the found face overlaps; null if there is none. */
  readonly paired: Detection | null;
  readonly isNamed: boolean;
}

/**
 * Plans the faces of a run, in the same order.
 *
 * A named face gets the identity of the request. New faces are matched. Stored faces with a pending automatic decision
 * are matched again. All other stored faces keep their decisions: confirmed faces, dismissed faces, and faces that a
 * person decided.
 */
export function planFaces(run: ImageRun, state: ImageState): readonly AnalyzedFacePlan[] {
  const found = pairWithStored(run, state);
  const matched = found.filter((face) => isMatched(face, run));
  const decisions = new Map(
    decideFaces(
      matched.map(({ face, index, paired }) => ({
        candidates: state.candidates[index]!,
        rejected: (paired && state.rejections.get(paired.id)) ?? new Set(),
        quality: face.quality,
        ceiling: run.named === null && run.kind !== 'draw' ? 'confirmed' : 'pending',
      })),
      { ...run.settings, taken: takenIdentities({ found, matched }, run, state) },
    ).map((decision, index) => [matched[index]!, decision]),
  );
  return found.map((face) => {
    const addsEmbedding = lacksEmbedding(face, run, state);
    return { ...planFace(face, decisions.get(face), { run, state }), addsEmbedding };
  });
}

type Plan = Omit<AnalyzedFacePlan, 'addsEmbedding'>;

interface Context {
  readonly run: ImageRun;
  readonly state: ImageState;
}

function planFace(
  face: PairedFace,
  decision: FaceDecision | undefined,
  { run, state }: Context,
): Plan {
  if (face.isNamed) return planNamed(face, run, state);
  if (decision !== undefined) return planMatched(face, decision, { run, state });
  return face.paired !== null && run.kind !== 'replace'
    ? planKept(face, face.paired, { run, state })
    : planUnmatched(face, run);
}

function lacksEmbedding(
  { face, paired }: PairedFace,
  { kind }: ImageRun,
  { embedded }: ImageState,
): boolean {
  return (
    kind !== 'replace' && paired !== null && face.embedding !== null && !embedded.has(paired.id)
  );
}

function pairWithStored(run: ImageRun, state: ImageState): readonly PairedFace[] {
  const { kind, named } = run;
  const faces = run.faces ?? [];
  const stored = kind === 'draw' ? [] : state.detections.filter(({ type }) => type === 'face');
  const boxes = faces.map(({ bbox }) => ({ bbox, type: 'face' as const, className: null }));
  const pairs = new Map(pairBoxes(boxes, stored).map((pair) => [pair.found, stored[pair.stored]!]));
  const namedIndex = named === null ? -1 : mostCertainFace(faces);
  return faces.map((face, index) => ({
    face,
    index,
    paired: pairs.get(index) ?? null,
    isNamed: index === namedIndex,
  }));
}

function isMatched({ face, paired, isNamed }: PairedFace, { kind }: ImageRun): boolean {
  if (isNamed || face.embedding === null) return false;
  return paired === null || kind === 'replace' || isOpen(paired);
}

/** Whether the decision is automatic and may change. */
function isOpen({ decidedBy, reviewStatus, dismissedAt }: Detection): boolean {
  return decidedBy === 'automatic' && reviewStatus === 'pending' && dismissedAt === null;
}

function takenIdentities(
  faces: { readonly found: readonly PairedFace[]; readonly matched: readonly PairedFace[] },
  run: ImageRun,
  state: ImageState,
): ReadonlySet<number> {
  const taken = new Set<number>();
  const named = faces.found.find(({ isNamed }) => isNamed);
  const target = named && namedIdentity(run, state);
  if (typeof target === 'number') taken.add(target);
  if (run.kind === 'replace') return taken;
  const redecided = [...faces.matched, ...(named ? [named] : [])].map(({ paired }) => paired?.id);
  for (const { id, type, identityId } of state.detections) {
    if (type === 'face' && identityId !== null && !redecided.includes(id)) taken.add(identityId);
  }
  return taken;
}

function planNamed({ face, paired }: PairedFace, run: ImageRun, state: ImageState): Plan {
  const identity = namedIdentity(run, state)!;
  const stored = run.kind === 'replace' ? null : paired;
  const decision = {
    identity,
    similarity: null,
    reviewStatus: 'confirmed',
    decidedBy: 'human',
  } as const;
  return {
    stored,
    replaces: run.kind === 'replace' ? paired : null,
    decision: stored !== null && isDecidedAs(stored, decision) ? null : decision,
    enrollment: enrollmentOfNamed(face, { stored, identity }, { run, state }),
    suggestions: stored === null ? [] : null,
  };
}

/** Existing references of other models move to the named identity, so that these models can become active again. */
function enrollmentOfNamed(
  { embedding }: FoundFace,
  named: { readonly stored: Detection | null; readonly identity: PlannedIdentity },
  { run, state }: Context,
): PlannedEnrollment | null {
  const present = state.references.filter(({ detectionId }) => detectionId === named.stored?.id);
  const modelIds = new Set(present.map(({ modelId }) => modelId));
  if (embedding !== null) modelIds.add(run.models.faces!.id);
  for (const { modelId, identityId } of present) {
    if (identityId === named.identity) modelIds.delete(modelId);
  }
  return modelIds.size > 0 ? { identity: named.identity, modelIds: [...modelIds] } : null;
}

function isDecidedAs(stored: Detection, decision: PlannedDecision): boolean {
  return (
    stored.identityId === decision.identity &&
    stored.reviewStatus === decision.reviewStatus &&
    stored.decidedBy === decision.decidedBy &&
    stored.dismissedAt === null
  );
}

function planMatched({ paired }: PairedFace, decided: FaceDecision, { run }: Context): Plan {
  const { identityId, similarity, reviewStatus } = decided;
  const stored = run.kind === 'replace' ? null : paired;
  const decision = {
    identity: identityId,
    similarity,
    reviewStatus,
    decidedBy: deciderOf(run),
  } as const;
  const stays =
    stored !== null && isDecidedAs(stored, decision) && stored.similarity === decision.similarity;
  return {
    stored,
    replaces: run.kind === 'replace' ? paired : null,
    decision: stays ? null : decision,
    enrollment:
      decided.enroll && identityId !== null
        ? { identity: identityId, modelIds: [run.models.faces!.id] }
        : null,
    suggestions: decided.suggestions,
  };
}

/**
 * Plans a stored face that keeps its decision. If all its references are of other models, it gets one of the active
 * model, provided that this model can embed it.
 */
function planKept({ face }: PairedFace, stored: Detection, { run, state }: Context): Plan {
  const model = run.models.faces!;
  const hasVector = face.embedding !== null || state.embedded.has(stored.id);
  const own = state.references.filter(({ detectionId }) => detectionId === stored.id);
  const isBehind = own.length > 0 && hasVector && own.every(({ modelId }) => modelId !== model.id);
  return {
    stored,
    replaces: null,
    decision: null,
    enrollment: isBehind ? { identity: own[0]!.identityId, modelIds: [model.id] } : null,
    suggestions: null,
  };
}

/** Plans a face that cannot be matched because it has no embedding. */
function planUnmatched({ paired }: PairedFace, run: ImageRun): Plan {
  const decision = {
    identity: null,
    similarity: null,
    reviewStatus: 'pending',
    decidedBy: deciderOf(run),
  } as const;
  return { stored: null, replaces: paired, decision, enrollment: null, suggestions: [] };
}

/** A drawn face counts as decided by a person even if it was matched, so that later runs do not change its decision. */
function deciderOf({ kind }: ImageRun): PlannedDecision['decidedBy'] {
  return kind === 'draw' ? 'human' : 'automatic';
}
