import { Counter, Gauge, Histogram } from 'prom-client';
import type { RequestObserver } from '../http/access-log.ts';
import type { MetricsRegistry } from './metrics-registry.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];

export interface HttpMetrics extends RequestObserver {
  /** The number of requests in progress. */
  readonly inFlight: number;
}

/**
 * Counts requests and refusals. Labels are route patterns, methods, status classes and problem codes, so that the
 * number of time series is bounded.
 */
export function createHttpMetrics(registry: MetricsRegistry): HttpMetrics {
  const registers = [registry];
  const total = new Counter({
    name: 'sightline_http_requests_total',
    help: 'HTTP requests that ended, by route pattern, method and status class (4xx includes requests whose client disconnected).',
    labelNames: ['route', 'method', 'status_class'],
    registers,
  });
  const duration = new Histogram({
    name: 'sightline_http_request_duration_seconds',
    help: 'Seconds from the arrival of the headers of an HTTP request to the last byte of its response.',
    labelNames: ['route', 'method', 'status_class'],
    buckets: SECONDS,
    registers,
  });
  const refusals = new Counter({
    name: 'sightline_http_refusals_total',
    help: 'HTTP requests that were refused, by problem code, such as overloaded or store_unavailable.',
    labelNames: ['code'],
    registers,
  });
  let requests = 0;
  const inFlight = new Gauge({
    name: 'sightline_http_requests_in_flight',
    help: 'HTTP requests in progress.',
    registers,
  });
  return {
    get inFlight() {
      return requests;
    },
    started: () => inFlight.set(++requests),
    finished: ({ route, method, status, seconds, refusal }) => {
      const labels = {
        route,
        method: METHODS.has(method) ? method : 'other',
        status_class: `${Math.floor(status / 100)}xx`,
      };
      inFlight.set(--requests);
      total.inc(labels);
      duration.observe(labels, seconds);
      if (refusal !== null) refusals.inc({ code: refusal });
    },
  };
}
