import { DomainError } from '../domain-error.ts';

/** The bytes have none of the accepted formats. The file name is ignored. */
export class UnsupportedFormat extends DomainError {
  readonly code = 'unsupported_format';
}

/** The file has too many bytes, or the image has too many pixels. */
export class ImageTooLarge extends DomainError {
  readonly code = 'image_too_large';
}

/** The format is accepted, but the bytes are truncated, damaged or malicious. */
export class ImageCorrupt extends DomainError {
  readonly code = 'image_corrupt';
}

/** The request contains no image source, or several. */
export class ImageSourceInvalid extends DomainError {
  readonly code = 'image_source';
}

/** An `image_url` could not be read because of its address, a timeout, the HTTP status or a redirect. */
export class ImageFetchFailed extends DomainError {
  readonly code = 'image_fetch_failed';

  /** The message is the same for all causes, because details would reveal the internal network to callers. */
  constructor(cause?: unknown) {
    super('The image at this URL cannot be fetched.', {}, { cause });
  }
}
