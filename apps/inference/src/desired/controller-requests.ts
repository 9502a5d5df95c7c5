import { once } from 'node:events';
import type { DesiredModels } from '@sightline/core/models/desired-models';
import { InferenceUnavailable } from '@sightline/core/models/model-errors';
import type { DesiredModelsSource } from './desired-models-source.ts';

/** The desired models that a controller has sent last. Until then the models of the configuration stay. */
export class ControllerRequests implements DesiredModelsSource {
  #apply: ((desired: DesiredModels) => void) | null = null;

  /** @throws InferenceUnavailable before the process follows, and while it stops */
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
