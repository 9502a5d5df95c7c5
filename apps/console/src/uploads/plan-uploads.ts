import type { Upload } from './upload.ts';

export interface PlanLimits {
  /** Up to this number of photos, each is sent in a request of its own. */
  readonly singles: number;
  /** The most photos of one request. */
  readonly batch: number;
  /** The most bytes of one request with several photos. */
  readonly batchBytes: number;
}

/** Fewer photos than a job may have, so that a pause and a lost connection cost little. */
const USUAL_BATCH = 50;
const USUAL_BATCH_BYTES = 256 * 1024 * 1024;

/** The limits of the service; before they are known, every photo is sent alone. */
export function planLimits(
  limits:
    | {
        readonly bulk_images: number;
        readonly bulk_job_images: number;
        readonly batch_bytes: number;
      }
    | undefined,
): PlanLimits {
  if (limits === undefined) return { singles: Infinity, batch: 1, batchBytes: 0 };
  return {
    singles: limits.bulk_images,
    batch: Math.min(limits.bulk_job_images, USUAL_BATCH),
    // The form has more bytes than its files.
    batchBytes: Math.min(limits.batch_bytes / 2, USUAL_BATCH_BYTES),
  };
}

/** The photos of the next request: one, or several of one kind once many are waiting. */
export function planUploads(waiting: readonly Upload[], limits: PlanLimits): readonly Upload[] {
  const [first] = waiting;
  if (first === undefined) return [];
  if (waiting.length <= limits.singles || !canShare(first)) return [first];
  const sharing = waiting.filter((upload) => belongsTo(first, upload)).slice(0, limits.batch);
  return sharing.slice(0, countWithin(sharing, limits.batchBytes));
}

/** How many of the photos have no more bytes together, at least one. */
function countWithin(uploads: readonly Upload[], maxBytes: number): number {
  let bytes = 0;
  const end = uploads.findIndex(({ source }) => {
    bytes += source.file?.size ?? 0;
    return bytes > maxBytes;
  });
  return end === -1 ? uploads.length : Math.max(end, 1);
}

/** A form with many files has no external references. */
function canShare({ isAlone, choices }: Upload): boolean {
  return !isAlone && !choices.namesAreRefs;
}

/** Whether two photos fit into one request, which has either files or addresses, and the same choices for all. */
function belongsTo(first: Upload, upload: Upload): boolean {
  return (
    canShare(upload) &&
    (first.source.url === undefined) === (upload.source.url === undefined) &&
    first.choices.detect === upload.choices.detect &&
    first.choices.replaces === upload.choices.replaces
  );
}
