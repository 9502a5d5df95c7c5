import { expect, test } from '@jest/globals';
import { createDispatcherMetrics } from '@sightline/background/dispatcher/dispatcher-metrics';
import { createInferenceMetrics } from '@sightline/model-host/inference-metrics';
import { createOperatorMetrics } from '@sightline/operator/operator-metrics';
import { createDependencyMetrics } from '@sightline/platform/metrics/dependency-metrics';
import { createDiskMetrics } from '@sightline/platform/metrics/disk-metrics';
import { createConnectionMetrics } from '@sightline/platform/metrics/connection-metrics';
import { createHttpMetrics } from '@sightline/platform/metrics/http-metrics';
import { createMetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { createWorkerMetrics } from '@sightline/background/worker/metrics/worker-metrics';

test('names follow the conventions: a unit or _total, base units, a help text', async () => {
  const registry = createMetricsRegistry();
  createHttpMetrics(registry);
  createConnectionMetrics(registry);
  const none = { queued: 0, running: 0, environmentsQueued: 0 };
  const load = { interactive: none, background: none };
  createInferenceMetrics(registry, () => ({
    load,
    sets: 1,
    hasGpu: false,
    provider: 'cpu',
    fallbackReason: null,
  }));
  createWorkerMetrics(registry);
  createDispatcherMetrics(registry);
  createDependencyMetrics(registry);
  createDiskMetrics(registry, {});
  createOperatorMetrics({ registry, watched: () => null, loads: () => ({}) });
  for (const { name, help, type } of await registry.getMetricsAsJSON()) {
    if (!name.startsWith('sightline_')) continue;
    expect(help).toMatch(/^[A-Z].*\.$/);
    expect(name.endsWith('_total')).toBe(String(type) === 'counter');
    if (String(type) === 'histogram') expect(name).toMatch(/_seconds$/);
  }
});
