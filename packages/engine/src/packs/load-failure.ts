import { ModelLoadFailed } from '@sightline/core/models/model-errors';
import { FileRefused } from '../onnx/file-refused.ts';

/**
 * Returns the error for a pack whose file could not be used. The message contains the file's name.
 */
export function loadFailure(file: string, error: unknown): ModelLoadFailed {
  if (error instanceof ModelLoadFailed) return error;
  // The runtime's messages span several lines, but an error's message has one line.
  const reason = (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ');
  const sentence =
    error instanceof FileRefused
      ? `${file} ${reason}.`
      : `${file} failed in its warm-up run: ${reason}`;
  return new ModelLoadFailed(sentence, {}, { cause: error });
}
