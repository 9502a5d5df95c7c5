import { DomainError } from '../domain-error.ts';

/** An error of a single image of a request. */
export abstract class ImageError extends DomainError {}

/** The bytes have none of the accepted formats. The file name is ignored. */
export class UnsupportedFormat extends ImageError {
  readonly code = 'unsupported_format';
}

/** The file has too many bytes, or the image has too many pixels. */
export class ImageTooLarge extends ImageError {
  readonly code = 'image_too_large';
}

/** The format is accepted, but the bytes are truncated, damaged or malicious. */
export class ImageCorrupt extends ImageError {
  readonly code = 'image_corrupt';
}

/** The request contains no image source, or several. */
export class ImageSourceInvalid extends ImageError {
  readonly code = 'image_source';
}

/** An `image_url` could not be read because of its address, a timeout, the HTTP status or a redirect. */
export class ImageFetchFailed extends ImageError {
  readonly code = 'image_fetch_failed';

  /** The message is the same for all causes, because details would reveal the internal network to callers. */
  constructor(cause?: unknown) {
    super('The image at this URL cannot be fetched.', {}, { cause });
  }
}

/** The error of one of several images, whose message and fact `image` say which one. */
class ErrorOfImage extends ImageError {
  readonly code: string;

  constructor(number: number, error: ImageError) {
    super(`Image ${number}: ${error.message}`, { ...error.facts, image: number }, { cause: error });
    this.code = error.code;
  }
}

/**
 * Runs work on one of several images.
 *
 * @param number the number of the image in the request, from 1
 * @throws the errors of the work; an ImageError says which image it is about
 */
export async function ofImage<T>(number: number, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ImageError ? new ErrorOfImage(number, error) : error;
  }
}
