import { expect, test } from '@jest/globals';
import { ModelLoadFailed } from '@sightline/core/models/model-errors';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { CUDA_FAILED, CUDA_UNAVAILABLE, loadFailure } from '../packs/load-failure.ts';
import { reportedError } from './load-error.ts';

test.each([
  [CUDA_UNAVAILABLE, 'NoDevice'],
  [`${CUDA_FAILED}CUDNN_STATUS_NOT_INITIALIZED`, 'NoDevice'],
  [`${CUDA_FAILED}CUDA failure 2: out of memory ; GPU=0`, 'OutOfDeviceMemory'],
  [`${CUDA_FAILED}The file det.onnx cannot be loaded: Protobuf parsing failed.`, 'LoadFailed'],
  [loadFailure('det.onnx', new Error('Gather: index out of bounds')).message, 'WarmUpFailed'],
  ['The model cannot be loaded: it failed unexpectedly', 'LoadFailed'],
])('%s has the reason %s', (message, reason) => {
  expect(reportedError(new ModelLoadFailed(message))).toEqual({ reason, message });
});

test('the cause decides where the message does not', () => {
  const failed = (cause: unknown) => new ModelLoadFailed('It cannot be fetched.', {}, { cause });
  const away = new StoreUnavailable('The store does not answer.');
  expect(reportedError(failed(away)).reason).toBe('StoreUnavailable');
  expect(reportedError(failed(new Error('ENOSPC: write'))).reason).toBe('NoSpace');
});

test('the message of an unexpected error is not reported', () => {
  const message = 'The model failed for an unexpected reason.';
  expect(reportedError(new Error('secret'))).toEqual({ reason: 'LoadFailed', message });
});
