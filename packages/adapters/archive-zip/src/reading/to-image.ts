import type { NewIdentity } from '@sightline/core/identities/identity';
import type { DetectionToImport, ImageToImport } from '@sightline/core/recognition/import-image';
import type { ArchiveEntries } from './archive-entries.ts';
import type { ArchiveHeads } from './check-image.ts';
import { MAX_FILE_BYTES } from './check-files.ts';
import type { DetectionRecord, PageImage } from './read-pages.ts';

export interface ArchiveContents extends ArchiveHeads {
  readonly entries: ArchiveEntries;
  /** Of the rows, by those in the archive. */
  readonly modelIds: ReadonlyMap<number, number>;
}

/** What a record that was checked means here. */
export async function toImage(contents: ArchiveContents, page: PageImage): Promise<ImageToImport> {
  const { record } = page;
  const { file, original, external_ref, uploaded_at } = record;
  const { digest, size, format, width, height } = record;
  const detections: DetectionToImport[] = [];
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
    stored: { jpeg: fileOf(contents, file), width: file.width, height: file.height },
    original: original && fileOf(contents, original),
    detections,
  };
}

async function toDetection(
  contents: ArchiveContents,
  record: DetectionRecord,
  page: PageImage,
): Promise<DetectionToImport> {
  const { type, bbox, confidence, quality, landmarks, age, gender, pose } = record;
  const { class_id, class_name, crop } = record;
  return {
    type,
    bbox,
    confidence,
    quality,
    landmarks,
    age,
    gender,
    pose,
    classId: class_id,
    className: class_name,
    crop: fileOf(contents, crop),
    facts: await toFacts(contents, record, page),
  };
}

async function toFacts(
  contents: ArchiveContents,
  record: DetectionRecord,
  page: PageImage,
): Promise<DetectionToImport['facts']> {
  const { identity, is_cover, similarity, review_status, decided_by, is_manual } = record;
  const { dismissed_at, mismatch_reviewed, detected_at, embedding_source } = record;
  return {
    identity: identity === null ? null : identityOf(contents, identity),
    isCover: is_cover,
    similarity,
    reviewStatus: review_status,
    decidedBy: decided_by,
    isManual: is_manual,
    dismissedAt: dismissed_at === null ? null : new Date(dismissed_at),
    mismatchReviewed: mismatch_reviewed,
    detectedAt: new Date(detected_at),
    embeddingSource: embedding_source,
    vectors: await readVectors(contents, record, page),
    rejectedFrom: record.rejected_from.map((rejection) => ({
      identity: identityOf(contents, rejection.identity),
      isLatest: rejection.is_latest,
      rejectedAt: new Date(rejection.rejected_at),
    })),
  };
}

async function readVectors(
  { models, modelIds }: ArchiveContents,
  { vectors }: DetectionRecord,
  page: PageImage,
): Promise<DetectionToImport['facts']['vectors']> {
  const dimensions = new Map(models.map(({ id, embeddingDim }) => [id, embeddingDim]));
  const read = [];
  for (const { model, offset, reference } of vectors) {
    read.push({
      modelId: modelIds.get(model)!,
      vector: await page.vectors.read(offset, dimensions.get(model)!),
      enrolledAt: reference && new Date(reference.created_at),
    });
  }
  return read;
}

function identityOf({ identities }: ArchiveContents, id: number): NewIdentity {
  return identities.get(id)!;
}

function fileOf({ entries }: ArchiveContents, { path }: { readonly path: string }) {
  return () => entries.readWhole(path, MAX_FILE_BYTES);
}
