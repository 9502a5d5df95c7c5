import { waitOutOverload } from '../analysis/wait-out-overload.ts';
import type { Scope } from '../store/scope.ts';
import type { ImageMemory, TakeMemory } from '../sources/image-memory.ts';
import { fetchPosted, type FetchPostedDeps } from './fetch-posted.ts';
import { takeWhenFree } from './take-when-free.ts';

export interface PostedImage {
  /** The caller's own name for the image. If absent, a stored name is kept. */
  readonly externalRef?: string | undefined;
  /**
   * The image's URL, or a function that reads the image into an unshared buffer. The function throws a DomainError if
   * the image cannot be read.
   */
  readonly source: string | ((signal: AbortSignal) => Uint8Array | Promise<Uint8Array>);
  /** The bytes of memory that the function takes; default: 0, because the image is in memory already. */
  readonly size?: number;
}

export interface ReadPostedDeps extends FetchPostedDeps {
  /** The memory for the images of a request; absent for jobs, which read few images at a time. */
  readonly imageMemory?: ImageMemory | undefined;
}

/** An image of a batch in memory. Disposal gives the memory back. */
export interface ReadImage extends Disposable {
  readonly bytes: Uint8Array;
}

/**
 * Reads an image of a batch. A fetch that memory ran out for is repeated.
 *
 * @throws InferenceOverloaded if memory stays short; the errors of `readUploaded` and `fetchPosted`
 */
export function readPosted(
  { imageMemory, ...deps }: ReadPostedDeps,
  { scope, image }: { readonly scope: Scope; readonly image: PostedImage },
  signal: AbortSignal,
): Promise<ReadImage> {
  const { source } = image;
  if (typeof source !== 'string') return readUploaded(imageMemory, { ...image, source }, signal);
  const fetch = () =>
    holding(imageMemory, (take) => fetchPosted(deps, { scope, url: source, take }, signal));
  return waitOutOverload(fetch, signal);
}

export type UploadedImage = PostedImage & {
  readonly source: Exclude<PostedImage['source'], string>;
};

/**
 * Reads an image of a batch that was uploaded, as soon as there is memory for it.
 *
 * @throws the errors of {@link takeWhenFree} and `source`
 */
export function readUploaded(
  imageMemory: ImageMemory | undefined,
  { source, size = 0 }: UploadedImage,
  signal: AbortSignal,
): Promise<ReadImage> {
  return holding(imageMemory, async (take) => {
    if (take !== undefined) await takeWhenFree(take, size, signal);
    return source(signal);
  });
}

async function holding(
  imageMemory: ImageMemory | undefined,
  read: (take: TakeMemory | undefined) => Promise<Uint8Array>,
): Promise<ReadImage> {
  using taken = new DisposableStack();
  const bytes = await read(imageMemory && taken.use(imageMemory.open()).take);
  const kept = taken.move();
  return { bytes, [Symbol.dispose]: () => kept.dispose() };
}
