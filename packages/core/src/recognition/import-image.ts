import type { Transaction } from '../database/database.ts';
import type { Detection } from '../detections/detection.ts';
import type { SourceImage } from '../sources/source-image.ts';
import type { Scope } from '../store/scope.ts';
import type { ImageResult } from './result/image-result.ts';
import type { ArchivedFacts } from './run/archived-facts.ts';
import type { FileContent, FoundFace, FoundObject, ImageRun } from './run/image-run.ts';
import { readBeforeRun } from './state/read-stored-image.ts';
import { storeImage, type StoreImageDeps } from './store-image.ts';

/** An image of an archive, with what became of it where the archive was written. */
export interface ImageToImport extends Pick<
  SourceImage,
  'digest' | 'sizeBytes' | 'format' | 'width' | 'height' | 'externalRef' | 'uploadedAt'
> {
  /** The JPEG to store, and its size in pixels. */
  readonly stored: {
    readonly jpeg: FileContent;
    readonly width: number;
    readonly height: number;
  };
  /** The given bytes; null: they were not kept. */
  readonly original: FileContent | null;
  readonly detections: readonly DetectionToImport[];
}

export type DetectionToImport = Pick<
  Detection,
  | 'type'
  | 'bbox'
  | 'confidence'
  | 'quality'
  | 'landmarks'
  | 'classId'
  | 'className'
  | 'age'
  | 'gender'
  | 'pose'
> & {
  readonly crop: FileContent;
  readonly facts: ArchivedFacts;
};

export interface ImportImageRequest {
  readonly scope: Scope;
  readonly image: ImageToImport;
}

export interface ImportImageOptions {
  readonly signal?: AbortSignal | undefined;
  /** The last step of the transaction; what it throws rolls it back. */
  readonly check?: ((tx: Transaction) => Promise<void>) | undefined;
}

/**
 * Stores an image of an archive, or adds what the archive has of an image that is stored. Images are the
 * same if their bytes are, detections by the overlap rule. Repeated, it changes nothing.
 *
 * @throws StoreUnavailable; what `check` and reading the files throw. Nothing is stored then.
 */
export async function importImage(
  deps: StoreImageDeps,
  { scope, image }: ImportImageRequest,
  { signal, check }: ImportImageOptions = {},
): Promise<ImageResult> {
  const { digest } = image;
  const { settings, stored } = await readBeforeRun(deps.database, { scope, digest }, signal);
  const run: ImageRun = {
    scope,
    settings,
    digest,
    posted: {
      sizeBytes: image.sizeBytes,
      original: image.original,
      uploadedAt: image.uploadedAt,
    },
    analysis: findingsOf(image),
    models: { faces: null, objects: null },
    drawn: null,
    archived: true,
    replace: false,
    externalRef: image.externalRef,
    named: null,
    proposals: null,
  };
  return storeImage(
    deps,
    { run, stored },
    {
      ...(signal && { signal }),
      finish: async (tx, _plan, result) => {
        await check?.(tx);
        return result;
      },
    },
  );
}

function findingsOf({ format, width, height, stored, detections }: ImageToImport) {
  return {
    image: { format, width, height },
    source: stored,
    faces: { items: detections.filter(({ type }) => type === 'face').map(toFace) },
    objects: { items: detections.filter(({ type }) => type === 'object').map(toObject) },
  } satisfies ImageRun['analysis'];
}

function toFace(detection: DetectionToImport): FoundFace {
  const { bbox, confidence, quality, landmarks, age, gender, pose, crop, facts } = detection;
  return {
    bbox,
    confidence,
    quality: quality ?? confidence,
    landmarks,
    age,
    gender,
    pose,
    embedding: null,
    crop: { jpeg: crop },
    archived: facts,
  };
}

function toObject(detection: DetectionToImport): FoundObject {
  const { bbox, confidence, classId, className, crop, facts } = detection;
  return { bbox, confidence, classId, className, crop: { jpeg: crop }, archived: facts };
}
