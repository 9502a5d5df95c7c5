import { expect, test } from '@jest/globals';
import { modelHappenings } from './reconcile/model-happenings.ts';
import { condition } from './plan/testing/samples.ts';
import { routeHappenings } from './reconcile/route-happenings.ts';

test('a change of state is told once, with what stands in the way', () => {
  const conditions = [{ ...condition('Ready', 'False'), message: 'Loaded in 1 of 2 pods.' }];
  const after = { state: 'Warming', conditions } as const;
  expect(modelHappenings({ state: 'Verified' }, after)).toEqual([
    { type: 'Normal', reason: 'Warming', note: 'Loaded in 1 of 2 pods.' },
  ]);
  expect(modelHappenings(after, after)).toEqual([]);
});

test('a failure is told with its reason, and its repetitions are not', () => {
  const lastFailure = { reason: 'LoadFailed', message: 'It failed.', count: 1 } as const;
  const after = { state: 'Failed', lastFailure } as const;
  expect(modelHappenings({ state: 'Warming' }, after)).toEqual([
    { type: 'Warning', reason: 'LoadFailed', note: 'It failed.' },
  ]);
  const again = { ...after, lastFailure: { ...lastFailure, count: 2 } };
  expect(modelHappenings(after, again)).toEqual([]);
});

test('a change of phase is told, as a warning where a person or a worker has to act', () => {
  const conditions = [{ ...condition('Stalled'), message: 'There is no InferenceModel b.' }];
  const after = { phase: 'Stalled', conditions, desired: { model: 'b' } } as const;
  expect(routeHappenings({ phase: 'Idle' }, after)).toEqual([
    { type: 'Warning', reason: 'Stalled', note: 'There is no InferenceModel b.' },
  ]);
  expect(routeHappenings(after, after)).toEqual([]);
  expect(routeHappenings(undefined, { phase: 'Preparing', desired: { model: 'b' } })).toEqual([
    { type: 'Normal', reason: 'Preparing', note: 'The requested model is b.' },
  ]);
});
