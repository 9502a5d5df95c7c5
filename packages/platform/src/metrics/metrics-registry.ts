import { collectDefaultMetrics, Registry } from 'prom-client';

/**
 * Interval of the timer that measures the lag of the event loop, in ms; the percentiles include it. The
 * library's default of 10 ms costs an idle inference process more CPU than everything else; with 50 ms
 * there are few samples per minute.
 */
export const LAG_TICK_MS = 20;

export type MetricsRegistry = Registry;

/**
 * A registry with the metrics of the process: CPU, memory, garbage collection, handles and the
 * percentiles of the event loop's lag.
 */
export function createMetricsRegistry(): MetricsRegistry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_TICK_MS });
  return registry;
}
