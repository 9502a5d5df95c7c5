import type { AnalyzedFace, AnalyzedObject } from '../../analysis/image-analyzer.ts';
import type { NewDetection } from '../../detections/detection.ts';
import type { NewSourceImage } from '../../sources/source-image.ts';
import type { PlannedDecision } from '../plan/image-plan.ts';
import type { ImageFiles, PutFile } from '../run/image-files.ts';
import type { ImageRun } from '../run/image-run.ts';

/** A decision whose identity exists. */
export type ResolvedDecision = Omit<PlannedDecision, 'identity'> & {
  readonly identityId: number | null;
};

/** @throws FileNotPut */
export function newSource(run: ImageRun, files: ImageFiles): NewSourceImage {
  const { image, source } = run.analysis;
  const media = files.get('source');
  const original = run.original && files.get('original');
  return {
    digest: run.digest,
    sizeBytes: run.sizeBytes,
    format: image.format,
    width: image.width,
    height: image.height,
    storedWidth: source!.width,
    storedHeight: source!.height,
    mediaKey: media.key,
    mediaBytes: media.size,
    originalKey: original?.key ?? null,
    externalRef: run.externalRef,
  };
}

export function newFace(
  face: AnalyzedFace,
  decision: ResolvedDecision,
  stored: { readonly crop: PutFile; readonly modelId: number },
): NewDetection {
  const { bbox, confidence, quality, landmarks, embedding, age, gender, pose } = face;
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
    isManual: false,
    embedding: embedding && { modelId: stored.modelId, vector: embedding },
    embeddingSource: embedding && alignment,
    cropKey: stored.crop.key,
    cropBytes: stored.crop.size,
  };
}

export function newObject(object: AnalyzedObject, identityId: number, crop: PutFile): NewDetection {
  const { bbox, confidence, classId, className } = object;
  return {
    type: 'object',
    bbox,
    confidence,
    classId,
    className,
    identityId,
    similarity: null,
    reviewStatus: 'confirmed',
    decidedBy: 'automatic',
    isManual: false,
    quality: null,
    landmarks: null,
    age: null,
    gender: null,
    pose: null,
    embedding: null,
    embeddingSource: null,
    cropKey: crop.key,
    cropBytes: crop.size,
  };
}
