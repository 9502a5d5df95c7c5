import { expect, test } from '@jest/globals';
import type {
  InferenceModel,
  InferenceModelStatus,
} from '@sightline/contracts/cluster/inference-model';
import { declaredModel } from './declared-model.ts';

const AT = '2026-01-02T03:04:05Z';

type Failure = NonNullable<InferenceModelStatus['lastFailure']>;

const condition = (type: string, status: 'True' | 'False', reason: string) => ({
  type,
  status,
  reason,
  message: '0/7 nodes are available: 7 Insufficient memory.',
  lastTransitionTime: AT,
});

function failureOf(
  lastFailure: Failure | undefined,
  conditions: InferenceModelStatus['conditions'],
) {
  const model: InferenceModel = {
    apiVersion: 'sightline.dev/v1alpha1',
    kind: 'InferenceModel',
    metadata: { name: 'large' },
    spec: {
      task: 'Face',
      source: { starter: {} },
      replicas: 1,
      rollout: { type: 'Surge' },
      standby: 'None',
      suspend: false,
    },
    status: { conditions, ...(lastFailure !== undefined && { lastFailure }) },
  };
  return declaredModel(model).failure;
}

const notWarm = (failure: Failure) =>
  failureOf(failure, [condition('Warm', 'False', failure.reason!)]);

test('pods that start late or wait for a node do not end a request', () => {
  const stuck = condition('Stalled', 'True', 'ProgressDeadlineExceeded');
  expect(failureOf(undefined, [condition('Warm', 'False', 'Loading'), stuck])).toBeNull();
  const waits = { reason: 'Unschedulable', message: stuck.message, retryAt: AT } as const;
  expect(failureOf(waits, [condition('Warm', 'False', 'Unschedulable'), stuck])).toMatchObject({
    isFinal: false,
    isOfLoading: false,
  });
});

test('a failure of a pack is final, with its own message', () => {
  const message = 'The file has other bytes than its digest says.';
  const failure = { reason: 'DigestMismatch', message } as const;
  const found = { message, isFinal: true, isOfLoading: false };
  expect(failureOf(failure, [condition('Verified', 'False', 'DigestMismatch')])).toEqual(found);
  const missing = { reason: 'NotFound', message, retryAt: AT } as const;
  expect(failureOf(missing, [condition('Verified', 'False', 'NotFound')])).toEqual(found);
  // The pack was verified after the failure, so the failure is no longer current.
  expect(failureOf(failure, [condition('Verified', 'True', 'Verified')])).toBeNull();
});

test('callers do not see messages of the cluster or of a log', () => {
  const message = 'Error: connect ECONNREFUSED 10.0.0.7:5432 at /app/packages/a.ts:1';
  const summary = (reason: string) =>
    `InferenceModel large failed with ${reason}; its status has the details.`;
  expect(notWarm({ reason: 'LoadFailed', message, retryAt: AT })).toEqual({
    message: summary('LoadFailed'),
    isFinal: false,
    isOfLoading: true,
  });
  expect(notWarm({ reason: 'NoDevice', message, retryAt: AT })).toEqual({
    message: summary('NoDevice'),
    isFinal: false,
    isOfLoading: true,
  });
  expect(notWarm({ reason: 'Unschedulable', message, retryAt: AT })).toMatchObject({
    message: summary('Unschedulable'),
  });
});
