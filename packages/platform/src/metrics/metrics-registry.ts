import { collectDefaultMetrics, Registry } from 'prom-client';

export type MetricsRegistry = Registry;

/**
 * A registry with the metrics of the process: CPU, memory, garbage collection, handles and the
 * percentiles of the event loop's lag.
 */
export function createMetricsRegistry(): MetricsRegistry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
