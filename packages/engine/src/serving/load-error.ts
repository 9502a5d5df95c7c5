import { DomainError } from '@sightline/core/domain-error';
import type { ReportedError } from '@sightline/core/models/analyzer-status';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { CUDA_FAILED, CUDA_UNAVAILABLE, WARM_UP_FAILED } from '../packs/load-failure.ts';

const OUT_OF_DEVICE_MEMORY = /CUDA.*out of memory|CUBLAS_STATUS_ALLOC_FAILED|CUDA failure 2\b/i;
/** Names the parts of CUDA. If only a certain model fails on the GPU, the runtime's message has none of them. */
const PARTS_OF_CUDA = /cuda|cudnn|cublas/i;
const NO_SPACE = /ENOSPC|EDQUOT|no space left/i;

/**
 * Returns the error of a model that could not be fetched or loaded, with a reason for conditions of
 * custom resources. Only the message of a DomainError is reported. The message of any other error
 * appears only in the log.
 */
export function reportedError(error: unknown): ReportedError {
  const message =
    error instanceof DomainError ? error.message : 'The model failed for an unexpected reason.';
  return { reason: reasonOf(message, causesOf(error)), message };
}

function reasonOf(message: string, causes: readonly unknown[]): string {
  const says = (words: RegExp) => causes.some((cause) => words.test(String(cause)));
  if (says(OUT_OF_DEVICE_MEMORY)) return 'OutOfDeviceMemory';
  if (says(NO_SPACE)) return 'NoSpace';
  if (causes.some((cause) => cause instanceof StoreUnavailable)) return 'StoreUnavailable';
  if (saysNoDevice(message)) return 'NoDevice';
  return message.includes(WARM_UP_FAILED) ? 'WarmUpFailed' : 'LoadFailed';
}

/** Whether the engine's message says that no model can use the GPU. */
function saysNoDevice(message: string): boolean {
  if (message === CUDA_UNAVAILABLE) return true;
  return message.startsWith(CUDA_FAILED) && PARTS_OF_CUDA.test(message.slice(CUDA_FAILED.length));
}

function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  for (let each = error; each instanceof Error && causes.length < 10; each = each.cause) {
    causes.push(each);
  }
  return causes;
}
