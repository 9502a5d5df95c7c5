import { mapConcurrently } from '../concurrency/map-concurrently.ts';
import type { CreateJobOptions } from '../database/create-job.ts';
import { createJobOfUploads, type UploadJobDeps } from '../database/create-job-of-uploads.ts';
import { DomainError } from '../domain-error.ts';
import type { Job, NewItem, NewJob, PostedImageInput, RunParams } from '../jobs/job.ts';
import type { UploadFiles } from '../media/upload-files.ts';
import type { Scope } from '../store/scope.ts';
import { StoreUnavailable } from '../store/store-errors.ts';
import { InferenceOverloaded } from '../models/model-errors.ts';
import type { SecretBox } from '../secrets/secret-box.ts';
import {
  type PostedImage,
  type ReadPostedDeps,
  readUploaded,
  type UploadedImage,
} from './read-posted.ts';
import { sealUrl } from './posted-url.ts';

/** The number of files that are stored at the same time. It is small because each file is in memory as a whole. */
const PUTS_AT_ONCE = 4;

export interface NamedImage extends PostedImage, Pick<PostedImageInput, 'name'> {}

export interface DetectBulkDeps extends UploadJobDeps, Pick<ReadPostedDeps, 'imageMemory'> {
  readonly secrets: SecretBox;
}

export interface DetectBulkRequest extends RunParams {
  readonly scope: Scope;
  readonly images: readonly NamedImage[];
}

/**
 * Creates a job that detects in several images. Uploaded images are stored until a worker processes them. An image that
 * cannot be read becomes an item that fails.
 *
 * @throws TooManyJobs; InferenceOverloaded if memory for the images stays short; NoSecretKey if a URL has credentials that
 *   cannot be encrypted; StoreUnavailable; the signal's reason on abort
 */
export function detectBulk(
  deps: DetectBulkDeps,
  { scope, images, types, replace }: DetectBulkRequest,
  options: CreateJobOptions & { readonly signal: AbortSignal },
): Promise<Job> {
  const params = { types, replace };
  const { signal } = options;
  const upload = async (files: UploadFiles): Promise<NewJob> => {
    const items = await mapConcurrently(images, PUTS_AT_ONCE, async (image) =>
      typeof image.source === 'string'
        ? { input: { ...inputOf(image), ...sealUrl(image.source, scope, deps.secrets) } }
        : uploadedItem(deps, { ...image, source: image.source }, { files, signal }),
    );
    return { type: 'bulk_detect', params, items };
  };
  return createJobOfUploads(deps, { scope, upload }, options);
}

function inputOf({ name, externalRef }: NamedImage): PostedImageInput {
  return { name, externalRef: externalRef ?? null, imageUrl: null, refusal: null };
}

async function uploadedItem(
  { imageMemory }: Pick<DetectBulkDeps, 'imageMemory'>,
  image: NamedImage & UploadedImage,
  { files, signal }: { readonly files: UploadFiles; readonly signal: AbortSignal },
): Promise<NewItem<'bulk_detect'>> {
  const input = inputOf(image);
  try {
    using read = await readUploaded(imageMemory, image, signal);
    return { input, uploadKey: await files.put(read.bytes, signal) };
  } catch (error) {
    if (!(error instanceof DomainError) || isOutage(error)) throw error;
    return { input: { ...input, refusal: { code: error.code, detail: error.message } } };
  }
}

/** Whether an error is one of the service, so that a retry of the whole request may succeed. */
function isOutage(error: DomainError): boolean {
  return error instanceof StoreUnavailable || error instanceof InferenceOverloaded;
}
