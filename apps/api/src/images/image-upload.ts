import type { Upload } from '../http/define-route.ts';

/** A form with one or two images, each of which may be a file or text. */
export const IMAGE_UPLOAD: Upload = {
  files: 'memory',
  // More than any request needs, so that a second file for one image is reported as such, not as too_many_parts.
  maxFiles: 4,
  maxFieldBytes: 64 * 1024,
  timeoutMs: 300_000,
};

const HOUR_MS = 3_600_000;

/** A form with many images, which are processed one by one. */
export const BATCH_UPLOAD: Upload = {
  files: 'disk',
  // More than a valid request has, so that too many images are reported as such, not as too_many_parts.
  maxFiles: 1_000,
  maxFieldBytes: 8192,
  timeoutMs: HOUR_MS,
};
