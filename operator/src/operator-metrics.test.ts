import { expect, test } from '@jest/globals';
import { createMetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { createOperatorMetrics } from './operator-metrics.ts';
import { condition, sampleRoute, verifiedModel } from './plan/testing/samples.ts';

test('a requested model that no pod has loaded shows in its conditions', async () => {
  const registry = createMetricsRegistry();
  const conditions = [condition('Ready', 'False'), condition('Stalled', 'True'), condition('Warm')];
  const models = [verifiedModel('a', {}, { state: 'Active', conditions })];
  const routes = [sampleRoute('face', { model: 'a' }, { conditions: [condition('Ready')] })];
  const watched = { models: () => models, routes: () => routes, failing: () => [] };
  createOperatorMetrics({ registry, watched: () => watched, loads: () => ({}) });
  const text = await registry.metrics();
  expect(text.split('\n').filter((line) => /^sightline_\w+_condition\{/.test(line))).toEqual([
    'sightline_model_condition{namespace="ns",model="a",type="Ready",status="False"} 1',
    'sightline_model_condition{namespace="ns",model="a",type="Stalled",status="True"} 1',
    'sightline_route_condition{namespace="ns",route="face",type="Ready",status="True"} 1',
  ]);
});
