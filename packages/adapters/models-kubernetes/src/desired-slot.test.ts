import { expect, test } from '@jest/globals';
import type { InferenceRoute } from '@sightline/contracts/cluster/inference-route';
import type { DeclaredModel } from '@sightline/core/models/declared-models';
import { desiredSlot } from './desired-slot.ts';

const REVISION = 'a'.repeat(64);

const MODEL = { name: 'a', task: 'face', revision: REVISION } as DeclaredModel;

const isApproved = (approvedRevision?: string, status: InferenceRoute['status'] = {}) =>
  desiredSlot(
    'face',
    {
      apiVersion: 'sightline.dev/v1alpha1',
      kind: 'InferenceRoute',
      metadata: { name: 'face', generation: 1 },
      spec: {
        model: 'a',
        reembed: 'Block',
        ...(approvedRevision !== undefined && { approvedRevision }),
        keepPreviousSeconds: 600,
        drainTimeoutSeconds: 120,
        progressDeadlineSeconds: 1800,
      },
      status,
    },
    [MODEL],
  ).isApproved;

test('Block requires an approval only if a model is active', () => {
  const active = { model: 'b', revision: REVISION, since: '2026-01-02T03:04:05Z' };
  expect(isApproved(undefined, { active })).toBe(false);
  expect(isApproved('b'.repeat(64), { active })).toBe(false);
  expect(isApproved(REVISION, { active })).toBe(true);
  expect(isApproved()).toBe(true);
});
