import type { NewDetection } from '../../detections/detection.ts';
import type { NewSourceImage } from '../../sources/source-image.ts';
import type { PlannedDecision } from '../plan/image-plan.ts';
import type { ArchivedFacts } from '../run/archived-facts.ts';
import type { ImageFiles, PutFile } from '../run/image-files.ts';
import type { FoundFace, FoundObject, ImageRun, PostedFile } from '../run/image-run.ts';

/** A decision whose identity exists. */
export type ResolvedDecision = Omit<PlannedDecision, 'identity'> & {
  readonly identityId: number | null;
};

/** @throws FileNotPut */
export function newSource(run: ImageRun, posted: PostedFile, files: ImageFiles): NewSourceImage {
  const { image, source } = run.analysis;
  const media = files.get('source');
  const original = posted.original && files.get('original');
  return {
    digest: run.digest,
    sizeBytes: posted.sizeBytes,
    format: image.format,
    width: image.width,
    height: image.height,
    storedWidth: source!.width,
    storedHeight: source!.height,
    mediaKey: media.key,
    mediaBytes: media.size,
    originalKey: original?.key ?? null,
    externalRef: run.externalRef,
    uploadedAt: posted.uploadedAt,
  };
}

export function newFace(
  face: FoundFace,
  decision: ResolvedDecision,
  { run, crop }: { readonly run: ImageRun; readonly crop: PutFile },
): NewDetection {
  const { bbox, confidence, quality, landmarks, embedding, age, gender, pose, archived } = face;
  const alignment = landmarks === null ? 'box' : 'aligned';
  return {
    ...decision,
    type: 'face',
    bbox,
    confidence,
    quality,
    landmarks,
    age,
    gender,
    pose,
    classId: null,
    className: null,
    isManual: archived?.isManual ?? run.drawn !== null,
    embedding: embedding && { modelId: run.models.faces!.id, vector: embedding },
    embeddingSource: archived === undefined ? embedding && alignment : archived.embeddingSource,
    cropKey: crop.key,
    cropBytes: crop.size,
    ...historyOf(archived),
  };
}

export function newObject(
  object: FoundObject,
  decision: ResolvedDecision,
  { run, crop }: { readonly run: ImageRun; readonly crop: PutFile },
): NewDetection {
  const { bbox, confidence, classId, className, archived } = object;
  return {
    ...decision,
    type: 'object',
    bbox,
    confidence,
    classId,
    className,
    isManual: archived?.isManual ?? run.drawn !== null,
    quality: null,
    landmarks: null,
    age: null,
    gender: null,
    pose: null,
    embedding: null,
    embeddingSource: null,
    cropKey: crop.key,
    cropBytes: crop.size,
    ...historyOf(archived),
  };
}

/** What is found now begins its history now. */
function historyOf(archived: ArchivedFacts | undefined): Pick<NewDetection, 'history'> {
  if (archived === undefined) return {};
  const { detectedAt, dismissedAt, mismatchReviewed } = archived;
  return { history: { detectedAt, dismissedAt, mismatchReviewed } };
}
