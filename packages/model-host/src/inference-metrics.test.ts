import { beforeEach, expect, test } from '@jest/globals';
import {
  createMetricsRegistry,
  type MetricsRegistry,
} from '@sightline/platform/metrics/metrics-registry';
import { sampleLines } from '@sightline/platform/metrics/testing/sample-lines';
import { createInferenceMetrics } from './inference-metrics.ts';

let registry: MetricsRegistry;

beforeEach(() => {
  registry = createMetricsRegistry();
});

test('inference is measured in seconds', async () => {
  const metrics = createInferenceMetrics(registry, () => ({
    queued: 3,
    running: 2,
    environmentsQueued: 1,
  }));
  metrics.jobStarted(40);
  metrics.jobRefused('over_share');
  metrics.workerLost();
  metrics.stageFinished({ stage: 'detect', model: 'buffalo_s' }, 20);
  metrics.decodeFailed('image_corrupt');

  expect(await sampleLines(registry)).toEqual(
    expect.arrayContaining([
      'sightline_inference_queue_length 3',
      'sightline_inference_queue_environments 1',
      'sightline_inference_refusals_total{cause="over_share"} 1',
      'sightline_inference_jobs_running 2',
      'sightline_inference_queue_wait_seconds_sum 0.04',
      'sightline_inference_worker_restarts_total 1',
      'sightline_inference_stage_duration_seconds_sum{stage="detect",model="buffalo_s"} 0.02',
      'sightline_decode_failures_total{reason="image_corrupt"} 1',
    ]),
  );
});
