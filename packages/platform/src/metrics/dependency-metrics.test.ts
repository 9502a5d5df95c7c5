import { expect, test } from '@jest/globals';
import { createDependencyMetrics } from './dependency-metrics.ts';
import { createMetricsRegistry } from './metrics-registry.ts';

test('an outage is counted, and its end is seen', async () => {
  const registry = createMetricsRegistry();
  const metrics = createDependencyMetrics(registry);
  const lines = async () =>
    (await registry.metrics()).split('\n').filter((line) => line.startsWith('sightline_'));
  metrics.stateChanged({ name: 'media', state: 'available' });
  metrics.stateChanged({ name: 'media', state: 'hanging' });
  expect(await lines()).toEqual([
    'sightline_dependency_up{dependency="media"} 0',
    'sightline_dependency_outages_total{dependency="media",kind="hanging"} 1',
  ]);
  metrics.stateChanged({ name: 'media', state: 'available' });
  expect(await lines()).toEqual([
    'sightline_dependency_up{dependency="media"} 1',
    'sightline_dependency_outages_total{dependency="media",kind="hanging"} 1',
  ]);
});
