import type { ImageAnalyzer } from '@sightline/core/analysis/image-analyzer';
import type { ModelHosts } from '@sightline/core/models/model-hosts';
import type { ActivationStores } from './activate-models.ts';
import type { ModelControl } from './models/model-control.ts';

/** Models that run in this process or in inference processes. */
export interface Inference {
  readonly analyzer: ImageAnalyzer;
  /** The processes that run the models: this one, or inference processes. */
  readonly hosts: ModelHosts;
  /** Decides which models answer. */
  readonly control: ModelControl;
  /** How many images of one request are analyzed at the same time. */
  readonly batchConcurrency: number;
  /** How many images of one job are analyzed at the same time. */
  readonly jobConcurrency: number;
  /** Whether a GPU is available now, whatever the configuration says. */
  readonly gpuAvailable: (signal?: AbortSignal) => Promise<boolean>;
}

export interface OpenedInference extends Inference, AsyncDisposable {
  /**
   * Activates models at the start.
   *
   * @throws StoreUnavailable, InferenceUnavailable; the signal's reason on abort
   */
  readonly activate: (stores: ActivationStores, signal: AbortSignal) => Promise<void>;
}
