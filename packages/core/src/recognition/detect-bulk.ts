import { mapConcurrently } from '../analysis/map-concurrently.ts';
import type { CreateJobOptions } from '../database/create-job.ts';
import { createJobOfUploads, type UploadJobDeps } from '../database/create-job-of-uploads.ts';
import { DomainError } from '../domain-error.ts';
import type { Job, NewItem, NewJob, PostedImageInput, RunParams } from '../jobs/job.ts';
import type { UploadFiles } from '../media/upload-files.ts';
import type { Scope } from '../store/scope.ts';
import { StoreUnavailable } from '../store/store-errors.ts';
import type { PostedImage } from './detect-posted.ts';

/** The number of files that are stored at the same time. It is small because each file is in memory as a whole. */
const PUTS_AT_ONCE = 4;

export interface NamedImage extends PostedImage, Pick<PostedImageInput, 'name'> {}

export interface DetectBulkRequest extends RunParams {
  readonly scope: Scope;
  readonly images: readonly NamedImage[];
}

/**
 * Creates a job that detects in several images. Uploaded images are stored until a worker processes them. An image that
 * cannot be read becomes an item that fails.
 *
 * @throws TooManyJobs; StoreUnavailable; the signal's reason on abort
 */
export function detectBulk(
  deps: UploadJobDeps,
  { scope, images, types, replace }: DetectBulkRequest,
  options: CreateJobOptions & { readonly signal: AbortSignal },
): Promise<Job> {
  const params = { types, replace };
  const upload = async (files: UploadFiles): Promise<NewJob> => {
    const items = await mapConcurrently(images, PUTS_AT_ONCE, (image) =>
      toItem(image, files, options.signal),
    );
    return { type: 'bulk_detect', params, items };
  };
  return createJobOfUploads(deps, { scope, upload }, options);
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
