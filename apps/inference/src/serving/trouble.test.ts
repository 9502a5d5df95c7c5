import { expect, test } from '@jest/globals';
import { ModelLoadFailed } from '@sightline/core/models/model-errors';
import { loadFailure } from '@sightline/engine/packs/load-failure';
import { loadTrouble, troubleOf } from './trouble.ts';

test.each([
  ['CUDA is not available.', 'NoDevice'],
  ['CUDA failed: CUDNN_STATUS_NOT_INITIALIZED', 'NoDevice'],
  ['CUDA failed: CUDA failure 2: out of memory ; GPU=0', 'OutOfDeviceMemory'],
  ['CUDA failed: The file det.onnx cannot be loaded: Protobuf parsing failed.', 'LoadFailed'],
  [loadFailure('det.onnx', new Error('Gather: index out of bounds')).message, 'WarmUpFailed'],
  ['The model cannot be loaded: it failed unexpectedly', 'LoadFailed'],
])('%s is the same trouble at the start and later: %s', (message, reason) => {
  const trouble = { reason, message };
  expect(loadTrouble(message)).toEqual(trouble);
  expect(troubleOf(new ModelLoadFailed(message))).toEqual(trouble);
});
