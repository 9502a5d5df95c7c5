import { DomainError } from '../domain-error.ts';

/** The bytes are in none of the accepted formats; the file name does not count. */
export class UnsupportedFormat extends DomainError {
  readonly code = 'unsupported_format';
}

/** The file has too many bytes or the picture too many pixels. */
export class ImageTooLarge extends DomainError {
  readonly code = 'image_too_large';
}

/** The format is accepted, but the bytes do not decode: truncated, damaged or hostile. */
export class ImageCorrupt extends DomainError {
  readonly code = 'image_corrupt';
}

/** No image source was given, or more than one. */
export class ImageSourceInvalid extends DomainError {
  readonly code = 'image_source';
}

/** An `image_url` could not be read: refused address, time-out, status, redirect. */
export class ImageFetchFailed extends DomainError {
  readonly code = 'image_fetch_failed';

  /** One sentence for all causes: another would tell callers what is in the network of the service. */
  constructor(cause?: unknown) {
    super('The image at this URL cannot be fetched.', {}, { cause });
  }
}
