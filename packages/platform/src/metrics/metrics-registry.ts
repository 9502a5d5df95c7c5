import { collectDefaultMetrics, Registry } from 'prom-client';

/**
 * The interval of the timer that measures the event loop lag, in ms. The reported percentiles include this interval.
 * The library's default of 10 ms would cost an idle inference process more CPU time than all other work, while 50 ms
 * would give too few samples per minute.
 */
export const LAG_TICK_MS = 20;

/**
 * Gauges of the library whose names end like those of counters, which linters and converters of metrics refuse. Each is the sum
 * of another metric, such as `nodejs_active_handles`.
 */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

export type MetricsRegistry = Registry;

/**
 * Creates a registry with the metrics of the process: CPU, memory, garbage collection, handles and
 * percentiles of the event loop lag.
 */
export function createMetricsRegistry(): MetricsRegistry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_TICK_MS });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  return registry;
}
