import { beforeEach, expect, test } from '@jest/globals';
import { createHttpMetrics } from './http-metrics.ts';
import { createMetricsRegistry, type MetricsRegistry } from './metrics-registry.ts';
import { sampleLines } from './testing/sample-lines.ts';

let registry: MetricsRegistry;

beforeEach(() => {
  registry = createMetricsRegistry();
});

test('requests are counted by route, method and class of status', async () => {
  const metrics = createHttpMetrics(registry);
  const request = { route: '/api/test', method: 'POST', status: 200, seconds: 0.02, refusal: null };
  for (const status of [200, 201, 499]) {
    metrics.started();
    metrics.finished({ ...request, status });
  }
  metrics.started();
  metrics.started();
  metrics.finished({ ...request, route: 'unmatched', method: 'PROPFIND', status: 404 });
  for (const refusal of ['overloaded', 'overloaded', 'request_timeout']) {
    metrics.started();
    metrics.finished({ ...request, status: 429, refusal });
  }

  const lines = await sampleLines(registry);
  expect(lines).toEqual(
    expect.arrayContaining([
      'sightline_http_requests_total{route="/api/test",method="POST",status_class="2xx"} 2',
      'sightline_http_requests_total{route="/api/test",method="POST",status_class="4xx"} 4',
      'sightline_http_refusals_total{code="overloaded"} 2',
      'sightline_http_refusals_total{code="request_timeout"} 1',
      'sightline_http_requests_total{route="unmatched",method="other",status_class="4xx"} 1',
      'sightline_http_request_duration_seconds_count{route="/api/test",method="POST",status_class="2xx"} 2',
      'sightline_http_request_duration_seconds_bucket{le="0.025",route="/api/test",method="POST",status_class="2xx"} 2',
      'sightline_http_request_duration_seconds_bucket{le="0.01",route="/api/test",method="POST",status_class="2xx"} 0',
      'sightline_http_requests_in_flight 1',
    ]),
  );
});

test('two registries are independent', async () => {
  createHttpMetrics(registry).started();
  const other = createMetricsRegistry();
  createHttpMetrics(other);
  expect(await other.metrics()).toContain('sightline_http_requests_in_flight 0');
});
