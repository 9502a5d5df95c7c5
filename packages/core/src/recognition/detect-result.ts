import type { NamedCandidate } from '../matching/match-faces.ts';
import type { Candidate } from '../matching/rank-candidates.ts';
import type { SourceImage } from '../sources/source-image.ts';
import type { AnalyzedImage } from './image-run/analyzed-image.ts';
import type { Detection } from '../detections/detection.ts';
import type { PlannedImage } from './image-run/plan-image.ts';
import type { WrittenImage } from './image-run/written-image.ts';

export interface DetectResult {
  readonly source: SourceImage;
  /** The image was stored before. */
  readonly reused: boolean;
  /** Those that answered; null: not asked for, or none is active. */
  readonly models: AnalyzedImage['models'];
  /** Those found by this run, in descending order of confidence. */
  readonly faces: readonly StoredFace[];
  readonly objects: readonly StoredObject[];
}

export interface StoredObject {
  readonly detection: Detection;
  /** False: it was stored before. */
  readonly created: boolean;
}

export interface StoredFace extends StoredObject {
  /** It is a reference of its identity for the active model. */
  readonly enrolled: boolean;
  readonly suggestions: readonly NamedCandidate[];
}

/** What a run that was carried out answers. */
export function toDetectResult(planned: PlannedImage, written: WrittenImage): DetectResult {
  const { run, state, plan } = planned;
  return {
    source: written.source,
    reused: state.source !== null,
    models: run.models,
    faces: written.faces.map((detection, i) => toStoredFace(planned, written, { detection, i })),
    objects: written.objects.map((detection, i) => ({
      detection,
      created: plan.objects[i]!.stored === null,
    })),
  };
}

function toStoredFace(
  { run, state, plan }: PlannedImage,
  { references }: WrittenImage,
  { detection, i }: { readonly detection: Detection; readonly i: number },
): StoredFace {
  const { stored, suggestions } = plan.faces[i]!;
  const kept = listsSuggestions(detection) ? (state.suggestions.get(detection.id) ?? []) : [];
  return {
    detection,
    created: stored === null,
    enrolled: [...state.references, ...references].some(
      ({ detectionId, identityId, modelId }) =>
        detectionId === detection.id &&
        identityId === detection.identityId &&
        modelId === run.models.faces!.id,
    ),
    suggestions: nameCandidates(suggestions ?? kept, state.identities),
  };
}

function listsSuggestions({ reviewStatus, dismissedAt }: Detection): boolean {
  return reviewStatus !== 'confirmed' && dismissedAt === null;
}

function nameCandidates(
  candidates: readonly Candidate[],
  identities: PlannedImage['state']['identities'],
): readonly NamedCandidate[] {
  return candidates.flatMap(({ identityId, similarity }) => {
    const identity = identities.get(identityId);
    return identity ? [{ identityId, label: identity.label, similarity }] : [];
  });
}
