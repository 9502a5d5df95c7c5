import type { DesiredModels } from '@sightline/core/models/desired-models';

/** The source of a process's desired models: a serving file, or the requests of a controller. */
export interface DesiredModelsSource {
  /** Calls `apply` with the desired models, and again after each change, until the signal aborts. */
  follow(apply: (desired: DesiredModels) => void, signal: AbortSignal): Promise<void>;
}
