import { mapConcurrently } from '../analysis/map-concurrently.ts';
import type { Database, Settle } from '../database/database.ts';
import { isRolledBack } from '../database/is-rolled-back.ts';
import { requireJobRoom } from '../database/require-job-room.ts';
import type { DetectionTypes } from '../detection-type.ts';
import { DomainError } from '../domain-error.ts';
import type { Job, NewItem, PostedImageInput } from '../jobs/job.ts';
import type { MediaStore } from '../media/media-store.ts';
import { UploadFiles } from '../media/upload-files.ts';
import type { Scope } from '../store/scope.ts';
import { StoreUnavailable } from '../store/store-errors.ts';
import type { PostedImage } from './detect-posted.ts';

/** How many files are put at the same time: each is in memory as a whole. */
const PUTS_AT_ONCE = 4;

export interface DetectBulkDeps {
  readonly database: Pick<Database, 'withEntities' | 'withScope'>;
  readonly media: Pick<MediaStore, 'put' | 'putFile' | 'remove'>;
}

export interface NamedImage extends PostedImage, Pick<PostedImageInput, 'name'> {}

export interface DetectBulkRequest {
  readonly scope: Scope;
  readonly images: readonly NamedImage[];
  readonly types: DetectionTypes;
  /** Remove the stored detections of these types, instead of comparing them with the findings. */
  readonly replace: boolean;
}

interface BulkOptions {
  readonly signal: AbortSignal;
  readonly settle?: Settle<Job> | undefined;
}

/**
 * Makes a job of images. Those that are not given by a URL are stored until their turn comes; one that
 * cannot be read is an item that fails.
 *
 * @throws TooManyJobs; StoreUnavailable; the signal's reason on abort. No job is made then.
 */
export async function detectBulk(
  deps: DetectBulkDeps,
  { scope, images, types, replace }: DetectBulkRequest,
  { signal, settle }: BulkOptions,
): Promise<Job> {
  await requireJobRoom(deps.database, scope, signal);
  const files = new UploadFiles(deps.media, scope.environmentId);
  let isCommitting = false;
  try {
    const items = await mapConcurrently(images, PUTS_AT_ONCE, (image) =>
      toItem(image, files, signal),
    );
    isCommitting = true;
    return await deps.database.withEntities(
      { ...scope, locks: [] },
      async (tx) => {
        files.requireKept();
        const job = await tx.jobs.create({
          type: 'bulk_detect',
          params: { types, replace },
          items,
        });
        await settle?.(tx, job);
        return job;
      },
      signal,
    );
  } catch (error) {
    // What is left after an unknown outcome, and is no upload of a job, is collected as orphans.
    if (!isCommitting || isRolledBack(error)) await files.discard();
    throw error;
  }
}

async function toItem(
  { name, externalRef, source }: NamedImage,
  files: UploadFiles,
  signal: AbortSignal,
): Promise<NewItem<'bulk_detect'>> {
  const given = { name, externalRef: externalRef ?? null };
  const input: PostedImageInput = { ...given, imageUrl: null, refusal: null };
  if (typeof source === 'string') return { input: { ...input, imageUrl: source } };
  try {
    return { input, uploadKey: await files.put(await source(signal), signal) };
  } catch (error) {
    if (!(error instanceof DomainError) || error instanceof StoreUnavailable) throw error;
    return { input: { ...input, refusal: { code: error.code, detail: error.message } } };
  }
}
