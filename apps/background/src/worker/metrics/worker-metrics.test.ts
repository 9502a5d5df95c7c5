import { beforeEach, expect, test } from '@jest/globals';
import {
  createMetricsRegistry,
  type MetricsRegistry,
} from '@sightline/platform/metrics/metrics-registry';
import { sampleLines } from '@sightline/platform/metrics/testing/sample-lines';
import { createIndexMetrics } from './index-metrics.ts';
import { createWorkerMetrics } from './worker-metrics.ts';

let registry: MetricsRegistry;

beforeEach(() => {
  registry = createMetricsRegistry();
});

test('background tasks report their results', async () => {
  const metrics = createWorkerMetrics(registry);
  metrics.taskFailed('index_changes');
  metrics.outboxState({ rows: 40, horizonAgeSeconds: 0.25 });
  metrics.relaysMeasured([{ topic: 'events', lagSeconds: 1.5, silentSeconds: 2 }]);
  metrics.orphansCollected(2);
  metrics.jobItemEnded('reembed', 'failed');
  const reembed = { type: 'reembed', jobs: 2, total: 10, done: 3, failed: 1 } as const;
  metrics.jobsMeasured({ unfinished: [{ ...reembed, stillSeconds: 7, waitingSeconds: 0 }] });

  expect(await sampleLines(registry)).toEqual(
    expect.arrayContaining([
      'sightline_background_task_failures_total{task="index_changes"} 1',
      'sightline_outbox_rows 40',
      'sightline_snapshot_horizon_age_seconds 0.25',
      'sightline_relay_lag_seconds{topic="events"} 1.5',
      'sightline_orphans_collected_total 2',
      'sightline_job_items{type="reembed",state="done"} 3',
      'sightline_job_items{type="reembed",state="failed"} 1',
      'sightline_job_items{type="reembed",state="open"} 6',
      'sightline_job_items{type="export",state="open"} 0',
      'sightline_job_items_ended_total{type="reembed",outcome="failed"} 1',
      'sightline_jobs_unfinished{type="reembed"} 2',
      'sightline_job_still_seconds{type="reembed"} 7',
    ]),
  );
  metrics.jobsMeasured({ unfinished: [] });
  metrics.relaysMeasured([]);
  expect((await sampleLines(registry)).join()).not.toContain('sightline_relay_lag_seconds');
  expect(await sampleLines(registry)).toContain('sightline_jobs_unfinished{type="reembed"} 0');
});

test('an index reports its state, the progress of a fill, and the result of a comparison', async () => {
  const metrics = createIndexMetrics(registry);
  metrics.indexMeasured(null);
  metrics.indexFilling(500);
  expect(await sampleLines(registry)).toEqual(
    expect.arrayContaining([
      'sightline_vector_index_filled 0',
      'sightline_vector_index_backlog 0',
      'sightline_vector_index_filling_points 500',
      'sightline_vector_index_compared_timestamp_seconds 0',
    ]),
  );

  const drift = { missing: 3, extra: 0, stale: 1 };
  const comparedAt = new Date(1_700_000_000_500);
  metrics.indexMeasured({ state: 'rebuild_requested', backlog: 12, comparedAt, drift });
  metrics.indexFilling(null);
  expect(await sampleLines(registry)).toEqual(
    expect.arrayContaining([
      'sightline_vector_index_filled 1',
      'sightline_vector_index_backlog 12',
      'sightline_vector_index_filling_points 0',
      'sightline_vector_index_drift{kind="missing"} 3',
      'sightline_vector_index_drift{kind="extra"} 0',
      'sightline_vector_index_compared_timestamp_seconds 1700000000.5',
    ]),
  );
  metrics.indexMeasured({ state: 'unfilled', backlog: 0, comparedAt: null, drift: null });
  expect(await sampleLines(registry)).toContain('sightline_vector_index_filled 0');
});
