import type { Upload } from '../http/define-route.ts';

/** A form with one or two images, each of which may be a file or text. */
export const IMAGE_UPLOAD: Upload = {
  files: 'memory',
  // More than any request needs, so that two files for one image get that error, not too_many_parts.
  maxFiles: 4,
  maxFieldBytes: 64 * 1024,
  timeoutMs: 300_000,
};
