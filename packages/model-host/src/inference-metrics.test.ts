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
    load: {
      interactive: { queued: 3, running: 2, environmentsQueued: 1 },
      background: { queued: 30, running: 20, environmentsQueued: 10 },
    },
    sets: 2,
    hasGpu: false,
    provider: 'cpu',
    fallbackReason: 'no CUDA device',
  }));
  metrics.jobStarted(40, 'interactive');
  metrics.jobStarted(80, 'background');
  metrics.jobRefused('over_share');
  metrics.helpStarted();
  metrics.workerLost();
  metrics.stageFinished({ stage: 'detect', model: 'buffalo_s' }, 20);
  metrics.decodeFailed('image_corrupt');
  metrics.setChanged('failed');

  expect(await sampleLines(registry)).toEqual(
    expect.arrayContaining([
      'sightline_inference_queue_length{lane="interactive"} 3',
      'sightline_inference_queue_length{lane="background"} 30',
      'sightline_inference_queue_environments{lane="interactive"} 1',
      'sightline_inference_queue_environments{lane="background"} 10',
      'sightline_inference_refusals_total{cause="over_share"} 1',
      'sightline_inference_jobs_running{lane="interactive"} 2',
      'sightline_inference_jobs_running{lane="background"} 20',
      'sightline_inference_queue_wait_seconds_sum{lane="interactive"} 0.04',
      'sightline_inference_queue_wait_seconds_sum{lane="background"} 0.08',
      'sightline_inference_helps_total 1',
      'sightline_inference_worker_restarts_total 1',
      'sightline_inference_stage_duration_seconds_sum{stage="detect",model="buffalo_s"} 0.02',
      'sightline_inference_model_sets 2',
      'sightline_inference_on_fallback 1',
      'sightline_inference_model_set_changes_total{outcome="failed"} 1',
      'sightline_decode_failures_total{reason="image_corrupt"} 1',
    ]),
  );
});

test.each([
  [{ hasGpu: true, provider: 'cuda' }, 0],
  [{ hasGpu: true, provider: 'cpu' }, 1],
  [{ hasGpu: false, provider: 'cpu' }, 0],
] as const)('reports a GPU that is available and not used: %j', async (device, expected) => {
  const none = { queued: 0, running: 0, environmentsQueued: 0 };
  const load = { interactive: none, background: none };
  createInferenceMetrics(registry, () => ({ load, sets: 1, fallbackReason: null, ...device }));
  expect(await sampleLines(registry)).toContain(`sightline_inference_on_fallback ${expected}`);
});
