import { DomainError } from '@sightline/core/domain-error';
import type { ReportedError } from '@sightline/core/models/analyzer-status';
import { StoreUnavailable } from '@sightline/core/store/store-errors';

/** How onnxruntime says that a GPU has no room for a model. */
const OUT_OF_DEVICE_MEMORY = /CUDA.*out of memory|CUBLAS_STATUS_ALLOC_FAILED|CUDA failure 2\b/i;
/** How the engine says that a GPU cannot be used for another reason; a bad model fails there without these words. */
const NO_DEVICE = /^CUDA is not available|^CUDA failed:.*(?:cuda|cudnn|cublas)/is;
/** How the engine says that a model was loaded, and did not answer. */
const WARM_UP_FAILED = ' failed in its warm-up run: ';
const NO_SPACE = /ENOSPC|EDQUOT|no space left/i;

/**
 * Why a model could not be fetched or loaded, with a reason for conditions of custom resources. Only the message of a
 * DomainError is reported; that of any other error stays in the log.
 */
export function reportedError(error: unknown): ReportedError {
  const message = error instanceof DomainError ? error.message : 'It failed unexpectedly.';
  return { reason: reasonOf(message, causesOf(error)), message };
}

function reasonOf(message: string, causes: readonly unknown[]): string {
  const says = (words: RegExp) => causes.some((cause) => words.test(String(cause)));
  if (says(OUT_OF_DEVICE_MEMORY)) return 'OutOfDeviceMemory';
  if (says(NO_SPACE)) return 'NoSpace';
  if (causes.some((cause) => cause instanceof StoreUnavailable)) return 'StoreUnavailable';
  if (NO_DEVICE.test(message)) return 'NoDevice';
  return message.includes(WARM_UP_FAILED) ? 'WarmUpFailed' : 'LoadFailed';
}

function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  for (let each = error; each instanceof Error && causes.length < 10; each = each.cause) {
    causes.push(each);
  }
  return causes;
}
