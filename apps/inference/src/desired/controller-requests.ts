import { once } from 'node:events';
import type { DesiredModels } from '@sightline/core/models/desired-models';
import { InferenceUnavailable } from '@sightline/core/models/model-errors';
import type { DesiredModelsSource } from './desired-models-source.ts';

/** Applies the desired models that a controller sends. Before the first request, the configured models stay loaded. */
export class ControllerRequests implements DesiredModelsSource {
  #apply: ((desired: DesiredModels) => void) | null = null;

  /** @throws InferenceUnavailable before `follow` was called, and while the process stops */
  put(desired: DesiredModels): void {
    if (this.#apply === null) throw new InferenceUnavailable('Inference is shutting down.');
    this.#apply(desired);
  }

  async follow(apply: (desired: DesiredModels) => void, signal: AbortSignal): Promise<void> {
    this.#apply = apply;
    if (!signal.aborted) await once(signal, 'abort');
    this.#apply = null;
  }
}
