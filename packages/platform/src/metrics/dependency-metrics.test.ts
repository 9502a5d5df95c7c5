import { expect, test } from '@jest/globals';
import { createDependencyMetrics } from './dependency-metrics.ts';
import { createMetricsRegistry } from './metrics-registry.ts';
import { sampleLines } from './testing/sample-lines.ts';

test('an outage is counted, and its end is reported', async () => {
  const registry = createMetricsRegistry();
  const metrics = createDependencyMetrics(registry);
  metrics.stateChanged({ name: 'media', state: 'available' });
  metrics.stateChanged({ name: 'media', state: 'hanging' });
  expect(await sampleLines(registry)).toEqual([
    'sightline_dependency_up{dependency="media"} 0',
    'sightline_dependency_outages_total{dependency="media",kind="hanging"} 1',
  ]);
  metrics.stateChanged({ name: 'media', state: 'available' });
  expect(await sampleLines(registry)).toEqual([
    'sightline_dependency_up{dependency="media"} 1',
    'sightline_dependency_outages_total{dependency="media",kind="hanging"} 1',
  ]);
});
