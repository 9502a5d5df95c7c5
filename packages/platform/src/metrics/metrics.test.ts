import { beforeEach, expect, test } from '@jest/globals';
import { createHttpMetrics } from './http-metrics.ts';
import { createIndexMetrics } from './index-metrics.ts';
import { createInferenceMetrics } from './inference-metrics.ts';
import { createMetricsRegistry, type MetricsRegistry } from './metrics-registry.ts';
import { createStoreMetrics } from './store-metrics.ts';

const idle = () => ({ queued: 0, running: 0 });

let registry: MetricsRegistry;

beforeEach(() => {
  registry = createMetricsRegistry();
});

async function sampleLines(): Promise<string[]> {
  const text = await registry.metrics();
  return text.split('\n').filter((line) => line.startsWith('sightline_'));
}

test('requests are counted by route, method and class of status', async () => {
  const metrics = createHttpMetrics(registry);
  const request = { route: '/api/test', method: 'POST', status: 200, seconds: 0.02 };
  for (const status of [200, 201, 499]) {
    metrics.started();
    metrics.finished({ ...request, status });
  }
  metrics.started();
  metrics.started();
  metrics.finished({ ...request, route: 'unmatched', method: 'PROPFIND', status: 404 });

  const lines = await sampleLines();
  expect(lines).toEqual(
    expect.arrayContaining([
      'sightline_http_requests_total{route="/api/test",method="POST",status_class="2xx"} 2',
      'sightline_http_requests_total{route="/api/test",method="POST",status_class="4xx"} 1',
      'sightline_http_requests_total{route="unmatched",method="other",status_class="4xx"} 1',
      'sightline_http_request_duration_seconds_count{route="/api/test",method="POST",status_class="2xx"} 2',
      'sightline_http_request_duration_seconds_bucket{le="0.025",route="/api/test",method="POST",status_class="2xx"} 2',
      'sightline_http_request_duration_seconds_bucket{le="0.01",route="/api/test",method="POST",status_class="2xx"} 0',
      'sightline_http_requests_in_flight 1',
    ]),
  );
});

test('inference is measured in seconds', async () => {
  const metrics = createInferenceMetrics(registry, () => ({ queued: 3, running: 2 }));
  metrics.jobStarted(40);
  metrics.workerLost();
  metrics.stageFinished({ stage: 'detect', model: 'buffalo_s' }, 20);
  metrics.decodeFailed('image_corrupt');

  expect(await sampleLines()).toEqual(
    expect.arrayContaining([
      'sightline_inference_queue_length 3',
      'sightline_inference_jobs_running 2',
      'sightline_inference_queue_wait_seconds_sum 0.04',
      'sightline_inference_worker_restarts_total 1',
      'sightline_inference_stage_duration_seconds_sum{stage="detect",model="buffalo_s"} 0.02',
      'sightline_decode_failures_total{reason="image_corrupt"} 1',
    ]),
  );
});

test('background tasks tell what they find and do', async () => {
  const metrics = createStoreMetrics(registry);
  metrics.taskFailed('index_changes');
  metrics.outboxState({ rows: 40, horizonAgeSeconds: 0.25 });
  metrics.orphansCollected(2);
  metrics.jobProgressed('reembed', { total: 10, done: 3, failed: 1 });

  expect(await sampleLines()).toEqual(
    expect.arrayContaining([
      'sightline_background_task_failures_total{task="index_changes"} 1',
      'sightline_outbox_rows 40',
      'sightline_snapshot_horizon_age_seconds 0.25',
      'sightline_orphans_collected_total 2',
      'sightline_job_items{type="reembed",state="done"} 3',
      'sightline_job_items{type="reembed",state="failed"} 1',
      'sightline_job_items{type="reembed",state="open"} 6',
    ]),
  );
});

test('an index tells how it stands, how far it is filled, and what its comparison found', async () => {
  const metrics = createIndexMetrics(registry);
  metrics.indexStands(null);
  metrics.indexFilling(500);
  expect(await sampleLines()).toEqual(
    expect.arrayContaining([
      'sightline_vector_index_filled 0',
      'sightline_vector_index_backlog 0',
      'sightline_vector_index_filling_points 500',
      'sightline_vector_index_compared_timestamp_seconds 0',
    ]),
  );

  const drift = { missing: 3, extra: 0, stale: 1 };
  const comparedAt = new Date(1_700_000_000_500);
  metrics.indexStands({ state: 'rebuild_requested', backlog: 12, comparedAt, drift });
  metrics.indexFilling(null);
  expect(await sampleLines()).toEqual(
    expect.arrayContaining([
      'sightline_vector_index_filled 1',
      'sightline_vector_index_backlog 12',
      'sightline_vector_index_filling_points 0',
      'sightline_vector_index_drift{kind="missing"} 3',
      'sightline_vector_index_drift{kind="extra"} 0',
      'sightline_vector_index_compared_timestamp_seconds 1700000000.5',
    ]),
  );
  metrics.indexStands({ state: 'unfilled', backlog: 0, comparedAt: null, drift: null });
  expect(await sampleLines()).toContain('sightline_vector_index_filled 0');
});

test('two registries know nothing of each other', async () => {
  createInferenceMetrics(registry, idle).workerLost();
  const other = createMetricsRegistry();
  createInferenceMetrics(other, idle);
  expect(await other.metrics()).toContain('sightline_inference_worker_restarts_total 0');
});

test('names follow the conventions: a unit or _total, base units, a help text', async () => {
  createHttpMetrics(registry);
  createInferenceMetrics(registry, idle);
  createStoreMetrics(registry);
  for (const { name, help, type } of await registry.getMetricsAsJSON()) {
    if (!name.startsWith('sightline_')) continue;
    expect(help).toMatch(/^[A-Z].*\.$/);
    expect(name.endsWith('_total')).toBe(String(type) === 'counter');
    if (String(type) === 'histogram') expect(name).toMatch(/_seconds$/);
  }
});
