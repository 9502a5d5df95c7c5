import { ModelLoadFailed } from '@sightline/core/models/model-errors';
import { FileRefused } from '../onnx/file-refused.ts';

/** Texts of messages from which the reason of a failure is read; see `serving/load-error.ts`. */
export const CUDA_UNAVAILABLE = 'CUDA is not available.';
export const CUDA_FAILED = 'CUDA failed: ';
export const WARM_UP_FAILED = ' failed in its warm-up run: ';

/**
 * Returns the error for a pack whose file could not be used. The message contains the file's name.
 */
export function loadFailure(file: string, error: unknown): ModelLoadFailed {
  if (error instanceof ModelLoadFailed) return error;
  // The runtime's messages span several lines, but an error's message has one line.
  const reason = (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ');
  const sentence =
    error instanceof FileRefused ? `${file} ${reason}.` : `${file}${WARM_UP_FAILED}${reason}`;
  return new ModelLoadFailed(sentence, {}, { cause: error });
}
