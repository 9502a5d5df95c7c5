import type { Detection } from '../../detections/detection.ts';
import type { Candidate, NamedCandidate } from '../../identities/candidate.ts';
import type { Identity } from '../../identities/identity.ts';
import type { ReferenceLink } from '../../references/reference.ts';
import type { SourceImage } from '../../sources/source-image.ts';
import type { ImagePlan } from '../plan/image-plan.ts';
import type { ImageRun } from '../run/image-run.ts';
import type { ImageState } from '../state/image-state.ts';
import type { WrittenRows } from './write-rows.ts';

/** The rows of an image after a run. */
export interface ImageResult {
  readonly source: SourceImage;
  /** Whether the image was already stored. */
  readonly reused: boolean;
  readonly models: ImageRun['models'];
  /** The faces of this run, in descending order of confidence. */
  readonly faces: readonly StoredFace[];
  /** The objects of this run, in descending order of confidence. */
  readonly objects: readonly StoredObject[];
  /** The identities that this run created. */
  readonly identities: readonly Identity[];
  /** The references that this run created. */
  readonly references: readonly ReferenceLink[];
  /** The operation that keeps removed detections about which people decided; null if there is none. */
  readonly operationId: number | null;
}

export interface StoredObject {
  readonly detection: Detection;
  /** Whether this run created the detection. */
  readonly created: boolean;
}

export interface StoredFace extends StoredObject {
  /** Whether the face is a reference of its identity for the run's model. */
  readonly enrolled: boolean;
  readonly suggestions: readonly NamedCandidate[];
}

export function toImageResult(plan: ImagePlan, rows: WrittenRows): ImageResult {
  const { source, identities, references, operationId } = rows;
  const isEnrolled = (face: Detection) =>
    [...plan.state.references, ...references].some(
      ({ detectionId, identityId, modelId }) =>
        detectionId === face.id &&
        identityId === face.identityId &&
        modelId === plan.run.models.faces?.id,
    );
  return {
    source,
    reused: plan.state.source !== null,
    models: plan.run.models,
    faces: rows.faces.map((detection, i) => ({
      detection,
      created: plan.faces[i]!.stored === null,
      enrolled: isEnrolled(detection),
      suggestions: suggestionsOf(detection, plan.faces[i]!.suggestions, plan.state),
    })),
    objects: rows.objects.map((detection, i) => ({
      detection,
      created: plan.objects[i]!.stored === null,
    })),
    identities,
    references,
    operationId,
  };
}

/** @param planned the suggestions that the run found; null if the stored ones are to be shown */
function suggestionsOf(
  detection: Detection,
  planned: readonly Candidate[] | null,
  { suggestions, identities, rejections }: ImageState,
): readonly NamedCandidate[] {
  if (!listsSuggestions(detection)) return [];
  const rejected = rejections.get(detection.id);
  return (planned ?? suggestions.get(detection.id) ?? []).flatMap(({ identityId, similarity }) => {
    const identity = rejected?.has(identityId) ? undefined : identities.get(identityId);
    return identity ? [{ identityId, label: identity.label, similarity }] : [];
  });
}

function listsSuggestions({ reviewStatus, dismissedAt }: Detection): boolean {
  return reviewStatus !== 'confirmed' && dismissedAt === null;
}
