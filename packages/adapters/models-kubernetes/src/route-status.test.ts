import { expect, test } from '@jest/globals';
import type { SlotOutcome } from '@sightline/core/activation/rollout-source';
import type { DeclaredModel } from '@sightline/core/models/declared-models';
import type { InferenceRoute } from '@sightline/contracts/cluster/inference-route';
import { routeStatus } from './route-status.ts';

const REVISION = 'a'.repeat(64);
const AT = '2026-01-02T03:04:05Z';

const declared = (name: string): DeclaredModel => ({
  name,
  packName: name,
  task: 'face',
  revision: REVISION,
  needs: REVISION,
  bytes: 7,
  sha256: null,
  progress: null,
  failure: null,
});
const MODELS = [declared('large'), declared('small')];
const FACTS: SlotOutcome = {
  slot: 'face',
  generation: 2,
  active: { name: 'small', revision: REVISION },
  reembedding: null,
  rolledBack: null,
};

/** A route that requests `large`, while `small`, with the same bytes, is active. */
function moved(status: InferenceRoute['status']): InferenceRoute {
  return {
    apiVersion: 'sightline.dev/v1alpha1',
    kind: 'InferenceRoute',
    metadata: { name: 'face', generation: 2 },
    spec: {
      model: 'large',
      reembed: 'Before',
      keepPreviousSeconds: 600,
      drainTimeoutSeconds: 120,
      progressDeadlineSeconds: 1800,
    },
    status: {
      active: { model: 'small', name: 'small', revision: REVISION, since: AT },
      available: { revision: REVISION, pods: 1, since: AT },
      ...status,
    },
  };
}

const available = (generation: number) => ({
  observedGeneration: generation,
  conditions: [
    {
      type: 'Available',
      status: 'True' as const,
      reason: 'Available',
      message: '',
      observedGeneration: generation,
      lastTransitionTime: AT,
    },
  ],
});

function statusOf(route: InferenceRoute, models = MODELS) {
  const status = routeStatus(FACTS, { route, models, now: AT });
  const [activated] = status.conditions ?? [];
  return [status.active?.model, activated?.status];
}

test('of two models with the same bytes, the one whose pods have loaded them is active', () => {
  // The condition is about the pods of `small`; `large` may have no pods yet.
  expect(statusOf(moved(available(1)))).toEqual(['small', 'False']);
  expect(statusOf(moved({ observedGeneration: 2, conditions: [] }))).toEqual(['small', 'False']);
  expect(statusOf(moved(available(2)))).toEqual(['large', 'True']);
});

test('if the active model was deleted, another model with the same bytes is active', () => {
  expect(statusOf(moved(available(1)), [declared('large')])).toEqual(['large', 'True']);
});
