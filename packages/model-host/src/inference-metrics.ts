import { type Lane, LANES } from '@sightline/core/analysis/lane';
import { addGauge } from '@sightline/platform/metrics/add-gauge';
import type { MetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { Counter, Histogram } from 'prom-client';

/** Receives the events of inference. The methods match the engine's observer. */
export interface InferenceMetrics {
  jobStarted(waitedMilliseconds: number, lane: Lane): void;
  /** @param cause one of a few fixed words, because it becomes the value of a label */
  jobRefused(cause: string): void;
  helpStarted(): void;
  workerLost(): void;
  /**
   * @param stage the stage and the model, each one of a few fixed names, because they become the values of labels;
   *   the model is empty for stages without a model
   */
  stageFinished(stage: { readonly stage: string; readonly model: string }, ms: number): void;
  /** @param reason the code of an error and not its message, because it becomes the value of a label */
  decodeFailed(reason: string): void;
  /** Reports that a set of models was loaded, failed to load, or ended. */
  setChanged(outcome: 'loaded' | 'failed' | 'released'): void;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The numbers of images of a lane that are queued and that are being analyzed. */
export interface InferenceLoad {
  readonly queued: number;
  readonly running: number;
  readonly environmentsQueued: number;
}

type LoadByLane = Readonly<Record<Lane, InferenceLoad>>;

/** The values that are measured when the metrics are read. */
export interface InferenceState {
  readonly load: LoadByLane;
  readonly sets: number;
  readonly hasGpu: boolean;
  readonly provider: 'cpu' | 'cuda';
  /**
   * The reason why CUDA is not used although it was requested; null if it is used or was not
   * requested.
   */
  readonly fallbackReason: string | null;
}

/** @param state called when the metrics are read */
export function createInferenceMetrics(
  registry: MetricsRegistry,
  state: () => InferenceState,
): InferenceMetrics {
  const registers = [registry];
  const measureLoad = (name: string, help: string, value: (load: InferenceLoad) => number) => {
    const options = { name, help, labelNames: ['lane'] };
    addGauge(registry, options, () => {
      const { load } = state();
      return LANES.map((lane) => ({ labels: { lane }, value: value(load[lane]) }));
    });
  };
  measureLoad(
    'sightline_inference_queue_length',
    'Images that wait for a free inference worker, by lane: interactive or background.',
    ({ queued }) => queued,
  );
  measureLoad(
    'sightline_inference_queue_environments',
    'Environments that have images in the queue, by lane; they take turns.',
    ({ environmentsQueued }) => environmentsQueued,
  );
  measureLoad(
    'sightline_inference_jobs_running',
    'Images that inference workers analyze now, by lane.',
    ({ running }) => running,
  );
  const wait = new Histogram({
    name: 'sightline_inference_queue_wait_seconds',
    help: 'Seconds that an image waited for an inference worker, by lane.',
    labelNames: ['lane'],
    buckets: SECONDS,
    registers,
  });
  const stages = new Histogram({
    name: 'sightline_inference_stage_duration_seconds',
    help: 'Seconds that one stage of the analysis of an image took, by stage and model.',
    labelNames: ['stage', 'model'],
    buckets: SECONDS,
    registers,
  });
  const refusals = new Counter({
    name: 'sightline_inference_refusals_total',
    help: 'Interactive images that were refused, by cause: over_share if their tenant has used up its share of the queue, full if the queue is full.',
    labelNames: ['cause'],
    registers,
  });
  const helps = new Counter({
    name: 'sightline_inference_helps_total',
    help: 'Times that an idle inference worker began to take part in the analysis of an image by another worker.',
    registers,
  });
  const restarts = new Counter({
    name: 'sightline_inference_worker_restarts_total',
    help: 'Inference workers that ended unexpectedly and were replaced.',
    registers,
  });
  addGauge(
    registry,
    {
      name: 'sightline_inference_model_sets',
      help: 'Sets of models that are loaded and ready in this process; two while the process switches to another set.',
    },
    () => [{ value: state().sets }],
  );
  addGauge(
    registry,
    {
      name: 'sightline_inference_on_fallback',
      help: 'Whether models run on the CPU although a GPU was configured or is present: 1 or 0.',
    },
    () => {
      const { hasGpu, provider, fallbackReason } = state();
      return [{ value: Number(fallbackReason !== null || (hasGpu && provider === 'cpu')) }];
    },
  );
  const setChanges = new Counter({
    name: 'sightline_inference_model_set_changes_total',
    help: 'Sets of models that were loaded, failed to load, or were released, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const decodeFailures = new Counter({
    name: 'sightline_decode_failures_total',
    help: 'Images that could not be decoded, by reason.',
    labelNames: ['reason'],
    registers,
  });
  return {
    jobStarted: (waitedMilliseconds, lane) => wait.observe({ lane }, waitedMilliseconds / 1000),
    jobRefused: (cause) => refusals.inc({ cause }),
    helpStarted: () => helps.inc(),
    workerLost: () => restarts.inc(),
    stageFinished: (labels, ms) => stages.observe(labels, ms / 1000),
    setChanged: (outcome) => setChanges.inc({ outcome }),
    decodeFailed: (reason) => decodeFailures.inc({ reason }),
  };
}
