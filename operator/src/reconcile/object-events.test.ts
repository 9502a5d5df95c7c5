import { expect, test } from '@jest/globals';
import { modelEvents } from './model-events.ts';
import { condition } from '../plan/testing/samples.ts';
import { routeEvents } from './route-events.ts';

test('a change of state has one Event, whose note says what the model waits for', () => {
  const conditions = [{ ...condition('Ready', 'False'), message: 'Loaded in 1 of 2 pods.' }];
  const after = { state: 'Warming', conditions } as const;
  expect(modelEvents({ state: 'Verified' }, after)).toEqual([
    { type: 'Normal', reason: 'Warming', note: 'Loaded in 1 of 2 pods.' },
  ]);
  expect(modelEvents(after, after)).toEqual([]);
});

test('a failure has an Event with its reason, and its repetitions have none', () => {
  const lastFailure = { reason: 'LoadFailed', message: 'It failed.', count: 1 } as const;
  const after = { state: 'Failed', lastFailure } as const;
  expect(modelEvents({ state: 'Warming' }, after)).toEqual([
    { type: 'Warning', reason: 'LoadFailed', note: 'It failed.' },
  ]);
  const again = { ...after, lastFailure: { ...lastFailure, count: 2 } };
  expect(modelEvents(after, again)).toEqual([]);
});

test('an active model that no pod serves has an Event, and so has its route', () => {
  const active = { ...condition('Active'), message: 'It has 0 replicas.' };
  const model = { state: 'NotServing', conditions: [condition('Ready', 'False'), active] } as const;
  const warning = { type: 'Warning', reason: 'NotServing' };
  expect(modelEvents({ state: 'Active' }, model)).toEqual([
    { ...warning, note: 'It has 0 replicas.' },
  ]);
  const ready = {
    ...condition('Ready', 'False'),
    reason: 'NotServing',
    message: 'No pod serves a.',
  };
  const route = { phase: 'Idle', conditions: [ready] } as const;
  const before = { phase: 'Idle', conditions: [condition('Ready')] } as const;
  expect(routeEvents(before, route)).toEqual([{ ...warning, note: 'No pod serves a.' }]);
  expect(routeEvents(route, route)).toEqual([]);
});

test('a change of phase has an Event, which is a warning where a person or a worker has to act', () => {
  const conditions = [{ ...condition('Stalled'), message: 'There is no InferenceModel b.' }];
  const after = { phase: 'Stalled', conditions, desired: { model: 'b' } } as const;
  expect(routeEvents({ phase: 'Idle' }, after)).toEqual([
    { type: 'Warning', reason: 'Stalled', note: 'There is no InferenceModel b.' },
  ]);
  expect(routeEvents(after, after)).toEqual([]);
  expect(routeEvents(undefined, { phase: 'Preparing', desired: { model: 'b' } })).toEqual([
    { type: 'Normal', reason: 'Preparing', note: 'The requested model is b.' },
  ]);
});
