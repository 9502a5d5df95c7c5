import type { NewIdentity } from '@sightline/core/identities/identity';
import type {
  ImageToImport,
  ImportedDetection,
} from '@sightline/core/recognition/import/import-run';
import type { UnreadFile } from '@sightline/core/recognition/run/image-run';
import type { ArchiveEntries } from './archive-entries.ts';
import type { ArchiveHeads } from './check-image.ts';
import { MAX_FILE_BYTES } from './check-files.ts';
import type { DetectionRecord, PageImage } from './read-pages.ts';

export interface ArchiveContents extends ArchiveHeads {
  readonly entries: ArchiveEntries;
}

export async function toImage(contents: ArchiveContents, page: PageImage): Promise<ImageToImport> {
  const { record } = page;
  const { file, original, external_ref, uploaded_at, taken_at } = record;
  const { digest, size, format, width, height } = record;
  const detections: ImportedDetection[] = [];
  for (const detection of record.detections) {
    detections.push(await toDetection(contents, detection, page));
  }
  return {
    digest,
    sizeBytes: size,
    format,
    width,
    height,
    externalRef: external_ref === '' ? null : external_ref,
    uploadedAt: new Date(uploaded_at),
    takenAt: taken_at === null ? null : new Date(taken_at),
    stored: { jpeg: fileOf(contents, file), width: file.width, height: file.height },
    original: original && fileOf(contents, original),
    detections,
  };
}

async function toDetection(
  contents: ArchiveContents,
  record: DetectionRecord,
  page: PageImage,
): Promise<ImportedDetection> {
  const { type, bbox, confidence, quality, landmarks, age, gender, pose, crop } = record;
  const { turned, class_id, class_name, embedding_source, is_manual, detected_at } = record;
  const { identity, is_cover, similarity, review_status, decided_by } = record;
  const { dismissed_at, mismatch_reviewed, rejected_from } = record;
  return {
    type,
    bbox,
    confidence,
    quality,
    landmarks,
    age,
    gender,
    pose,
    turned,
    classId: class_id,
    className: class_name,
    embeddingSource: embedding_source,
    isManual: is_manual,
    detectedAt: new Date(detected_at),
    crop: fileOf(contents, crop),
    identity: identity === null ? null : identityOf(contents, identity),
    isCover: is_cover,
    similarity,
    reviewStatus: review_status,
    decidedBy: decided_by,
    dismissedAt: dismissed_at === null ? null : new Date(dismissed_at),
    mismatchReviewed: mismatch_reviewed,
    vectors: await readVectors(contents, record, page),
    rejections: rejected_from.map((rejection) => ({
      identity: identityOf(contents, rejection.identity),
      isLatest: rejection.is_latest,
      rejectedAt: new Date(rejection.rejected_at),
    })),
  };
}

async function readVectors(
  { models }: ArchiveContents,
  { vectors }: DetectionRecord,
  page: PageImage,
): Promise<ImportedDetection['vectors']> {
  const dimensions = new Map(models.map(({ id, embeddingDim }) => [id, embeddingDim]));
  const read = [];
  for (const { model, offset, reference } of vectors) {
    read.push({
      modelId: model,
      vector: await page.vectors.read(offset, dimensions.get(model)!),
      enrolledAt: reference && new Date(reference.created_at),
    });
  }
  return read;
}

function identityOf({ identities }: ArchiveContents, id: number): NewIdentity {
  return identities.get(id)!;
}

function fileOf({ entries }: ArchiveContents, { path }: { readonly path: string }): UnreadFile {
  const { size } = entries.get(path);
  return { size, read: () => entries.readWhole(path, MAX_FILE_BYTES) };
}
