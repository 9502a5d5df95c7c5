import type { Upload } from '../http/define-route.ts';

/** A form with one or two images, as files or as text. */
export const IMAGE_UPLOAD: Upload = {
  files: 'memory',
  // A request needs at most two files. With a higher limit, a request with too many files gets a clearer error than
  // too_many_parts.
  maxFiles: 4,
  maxFieldBytes: 64 * 1024,
  timeoutMs: 300_000,
};

const HOUR_MS = 3_600_000;

/** A form with many images, which are processed one by one. */
export const BATCH_UPLOAD: Upload = {
  files: 'disk',
  // A valid request has fewer files. With a higher limit, a request with too many images gets a clearer error than
  // too_many_parts.
  maxFiles: 1_000,
  maxFieldBytes: 8192,
  timeoutMs: HOUR_MS,
};
