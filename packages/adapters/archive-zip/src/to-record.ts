import { cropEntry, imageEntry, originalEntry } from '@sightline/contracts/archive/archive-layout';
import type {
  ArchivedDetection,
  ArchivedVector,
} from '@sightline/contracts/archive/archived-detection';
import type { ArchivedIdentity } from '@sightline/contracts/archive/archived-identity';
import type { ArchivedImage } from '@sightline/contracts/archive/archived-image';
import type { ArchivedModel } from '@sightline/contracts/archive/archived-model';
import type { Identity } from '@sightline/core/identities/identity';
import type {
  LibraryDetection,
  LibraryImage,
  LibraryModel,
  LibraryVector,
} from '@sightline/core/library/library-image';
import { digestOfMediaKey } from '@sightline/core/media/media-key';
import type { LibraryFile } from '@sightline/core/transfer/library-files';
import type { z } from 'zod';

/** Appends a vector to the file of its page, and returns the index of the vector's first float there. */
export type PlaceVector = (vector: Float32Array) => number;

export function toIdentityRecord(identity: Identity): z.input<typeof ArchivedIdentity> {
  return {
    identity: identity.id,
    type: identity.type,
    label: identity.label,
    external_ref: identity.externalRef,
    created_at: identity.createdAt.toISOString(),
  };
}

export function toModelRecord(model: LibraryModel): z.input<typeof ArchivedModel> {
  return {
    model: model.id,
    name: model.name,
    revision: model.revision,
    embedding_dim: model.embeddingDim,
  };
}

export function toImageRecord(
  { source, mediaBytes, detections }: LibraryImage,
  place: PlaceVector,
): z.input<typeof ArchivedImage> {
  const { id, mediaKey, originalKey, sizeBytes, storedWidth, storedHeight } = source;
  const file = toFile({ kind: 'image', id, key: mediaKey, size: mediaBytes });
  return {
    image: id,
    digest: source.digest,
    size: sizeBytes,
    format: source.format,
    width: source.width,
    height: source.height,
    external_ref: source.externalRef,
    uploaded_at: source.uploadedAt.toISOString(),
    taken_at: source.takenAt?.toISOString() ?? null,
    file: { ...file, width: storedWidth, height: storedHeight },
    original:
      originalKey === null
        ? null
        : toFile({ kind: 'original', id, key: originalKey, size: sizeBytes }),
    detections: detections.map((detection) => toDetectionRecord(detection, place)),
  };
}

function toDetectionRecord(
  detection: LibraryDetection,
  place: PlaceVector,
): z.input<typeof ArchivedDetection> {
  const { id, pose, landmarks, cropKey, cropBytes } = detection;
  return {
    detection: id,
    type: detection.type,
    bbox: detection.bbox,
    confidence: detection.confidence,
    quality: detection.quality,
    landmarks: landmarks && [...landmarks],
    class_name: detection.className,
    class_id: detection.classId,
    identity: detection.identityId,
    is_cover: detection.isCover,
    similarity: detection.similarity,
    review_status: detection.reviewStatus,
    decided_by: detection.decidedBy,
    is_manual: detection.isManual,
    dismissed_at: detection.dismissedAt?.toISOString() ?? null,
    mismatch_reviewed: detection.mismatchReviewed,
    embedding_source: detection.embeddingSource,
    age: detection.age,
    gender: detection.gender,
    pose: pose && [...pose],
    turned: detection.turned,
    detected_at: detection.detectedAt.toISOString(),
    crop: toFile({ kind: 'crop', id, key: cropKey, size: cropBytes }),
    vectors: detection.vectors.map((vector) => toVectorRecord(vector, place)),
    rejected_from: detection.rejections.map(({ identity, isLatest, rejectedAt }) => ({
      identity,
      is_latest: isLatest,
      rejected_at: rejectedAt.toISOString(),
    })),
  };
}

function toVectorRecord(
  { modelId, vector, enrolledAt }: LibraryVector,
  place: PlaceVector,
): z.input<typeof ArchivedVector> {
  return {
    model: modelId,
    offset: place(vector),
    reference: enrolledAt && { created_at: enrolledAt.toISOString() },
  };
}

function toFile(file: LibraryFile) {
  return { path: entryOf(file), sha256: digestOfMediaKey(file.key), size: file.size };
}

export function entryOf({ kind, id, key }: LibraryFile): string {
  switch (kind) {
    case 'image':
      return imageEntry(id);
    case 'original':
      return originalEntry(id, key.slice(key.lastIndexOf('.') + 1));
    case 'crop':
      return cropEntry(id);
  }
}
