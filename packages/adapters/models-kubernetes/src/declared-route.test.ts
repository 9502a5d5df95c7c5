import { expect, test } from '@jest/globals';
import type { InferenceRoute } from '@sightline/contracts/cluster/inference-route';
import { declaredRoute } from './declared-route.ts';

const REVISION = 'a'.repeat(64);

const approvedOf = (approvedRevision?: string, status: InferenceRoute['status'] = {}) =>
  declaredRoute(
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
    [],
  ).approved;

test('Block asks for an approval where a model answers, and nowhere else', () => {
  const active = { model: 'b', revision: REVISION, since: '2026-01-02T03:04:05Z' };
  expect(approvedOf(undefined, { active })).toEqual({ revision: null });
  expect(approvedOf(REVISION, { active })).toEqual({ revision: REVISION });
  expect(approvedOf()).toBeNull();
});
