import type { ImageAnalyzer } from '@sightline/core/analysis/image-analyzer';
import type { ModelHosts } from '@sightline/core/models/model-hosts';
import type { ActivationStores } from './activate-models.ts';
import type { ModelControl } from './models/model-control.ts';

/** Access to the models, which run in this process or in inference processes. */
export interface Inference {
  readonly analyzer: ImageAnalyzer;
  readonly hosts: ModelHosts;
  readonly control: ModelControl;
  /** The maximum number of images of one request that are analyzed at the same time. */
  readonly batchConcurrency: number;
  /** The maximum number of images of one environment's jobs that a process analyzes at the same time. */
  readonly jobConcurrency: number;
  /** Whether a GPU is available now, independent of the configuration. */
  readonly gpuAvailable: (signal?: AbortSignal) => Promise<boolean>;
}

export interface OpenedInference extends Inference, AsyncDisposable {
  /**
   * Activates models when the process starts.
   *
   * @throws StoreUnavailable, InferenceUnavailable; the signal's reason on abort
   */
  readonly activate: (stores: ActivationStores, signal: AbortSignal) => Promise<void>;
}
