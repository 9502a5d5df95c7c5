import { collectDefaultMetrics, Registry } from 'prom-client';

/**
 * Between two ticks of the timer that the event loop's lag is taken with, in ms; its percentiles count
 * them in. The library's own 10 ms cost an idle inference process more than all else that it does; with 50 ms
 * the percentiles of a minute are of few ticks.
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
