import { DomainError } from '@sightline/core/domain-error';
import { StoreUnavailable } from '@sightline/core/store/store-errors';

/** Why a model is not there, as statuses of custom resources say it. */
export interface Trouble {
  readonly reason:
    | 'LoadFailed'
    | 'NoDevice'
    | 'NoSpace'
    | 'OutOfDeviceMemory'
    | 'StoreUnavailable'
    | 'WarmUpFailed';
  readonly message: string;
}

/** What onnxruntime says if a GPU has no room for a model. */
const OUT_OF_DEVICE_MEMORY = /CUDA.*out of memory|CUBLAS_STATUS_ALLOC_FAILED|CUDA failure 2\b/i;
/** What the engine says if a GPU is of no use for another reason; a bad model fails there without these words. */
const NO_DEVICE = /^CUDA is not available|^CUDA failed:.*(?:cuda|cudnn|cublas)/is;
/** What the engine says of a model that was loaded, and did not answer. */
const WARM_UP_FAILED = ' failed in its warm-up run: ';
const NO_SPACE = /ENOSPC|EDQUOT|no space left/i;

/** The trouble that an error is. The message of what is no DomainError stays in the log. */
export function troubleOf(error: unknown): Trouble {
  const message = error instanceof DomainError ? error.message : 'It failed unexpectedly.';
  const causes = causesOf(error);
  const says = (words: RegExp) => causes.some((cause) => words.test(String(cause)));
  if (says(OUT_OF_DEVICE_MEMORY)) return { reason: 'OutOfDeviceMemory', message };
  if (says(NO_SPACE)) return { reason: 'NoSpace', message };
  if (causes.some((cause) => cause instanceof StoreUnavailable)) {
    return { reason: 'StoreUnavailable', message };
  }
  return loadTrouble(message);
}

/** The trouble of a model that could not be loaded, by the sentence that says why. */
export function loadTrouble(message: string): Trouble {
  if (OUT_OF_DEVICE_MEMORY.test(message)) return { reason: 'OutOfDeviceMemory', message };
  if (NO_DEVICE.test(message)) return { reason: 'NoDevice', message };
  return { reason: message.includes(WARM_UP_FAILED) ? 'WarmUpFailed' : 'LoadFailed', message };
}

function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  for (let each = error; each instanceof Error && causes.length < 10; each = each.cause) {
    causes.push(each);
  }
  return causes;
}
