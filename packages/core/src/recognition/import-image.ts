import { arePlausible } from '../analysis/face-landmarks.ts';
import type { Transaction } from '../database/database.ts';
import type { Scope } from '../store/scope.ts';
import type { ImageToImport, ImportedDetection, ImportRun } from './import/import-run.ts';
import { type ImportPlan, planImport } from './import/plan-import.ts';
import { EMPTY_STATE, mentionsNone, readImportState } from './import/read-import-state.ts';
import { type ImportedImage, writeImport } from './import/write-import.ts';
import { type PlanSteps, storePlan, type StorePlanDeps } from './store-plan.ts';

export interface ImportImageRequest {
  readonly scope: Scope;
  readonly image: ImageToImport;
  /** Whether the caller knows that the image is not stored. If another request stores it since, the plan is repeated. */
  readonly isNew?: boolean;
}

export interface ImportImageOptions {
  readonly signal?: AbortSignal | undefined;
  /** The last step of the transaction. An error rolls the transaction back. */
  readonly check?: ((tx: Transaction) => Promise<void>) | undefined;
}

/**
 * Stores an image of an archive. If the image is already stored, the archive's detections are added to it. Images are
 * compared by their digests, and detections by their overlap, so a repeated import changes nothing.
 *
 * @throws StoreUnavailable; the errors of `check` and of reading the files
 */
export async function importImage(
  deps: StorePlanDeps,
  { scope, image, isNew = false }: ImportImageRequest,
  { signal, check }: ImportImageOptions = {},
): Promise<ImportedImage> {
  const run = toRun(scope, image);
  const steps: PlanSteps<ImportPlan, ImportedImage> = {
    read: isNew && mentionsNone(run) ? EMPTY_STATE : (stores) => readImportState(stores, run),
    reread: (tx) => readImportState(tx, run),
    plan: (state) => planImport(run, state),
    write: async (tx, plan, files) => {
      const imported = await writeImport(tx, plan, files);
      await check?.(tx);
      return imported;
    },
  };
  return storePlan(deps, { run, steps }, signal);
}

function toRun(scope: Scope, image: ImageToImport): ImportRun {
  const { digest, sizeBytes, format, width, height, takenAt } = image;
  const detections = image.detections.map(withTrustedVectors);
  const { stored: rendition, original, externalRef, uploadedAt } = image;
  return {
    scope,
    digest,
    droppedVectors: countVectors(image.detections) - countVectors(detections),
    posted: {
      sizeBytes,
      image: { format, width, height, takenAt },
      rendition,
      original,
      externalRef,
      uploadedAt,
    },
    faces: detections.filter(({ type }) => type === 'face'),
    objects: detections.filter(({ type }) => type === 'object'),
  };
}

function countVectors(detections: readonly ImportedDetection[]): number {
  return detections.reduce((sum, { vectors }) => sum + vectors.length, 0);
}

/**
 * Drops the vectors of a face with implausible landmarks, because such a face cannot have been aligned. A job embeds it
 * again if its stored image shows a face in another direction.
 */
function withTrustedVectors(detection: ImportedDetection): ImportedDetection {
  const { landmarks, bbox } = detection;
  if (landmarks === null || arePlausible(landmarks, bbox)) return detection;
  return { ...detection, vectors: [], embeddingSource: null };
}
