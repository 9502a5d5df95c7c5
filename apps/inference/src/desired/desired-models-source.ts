import type { DesiredModels } from '@sightline/core/models/desired-models';

/** Where a process reads which models it is to have: a serving file, or the requests of a controller. */
export interface DesiredModelsSource {
  /** Calls a function with the desired state, and with each later one, until the signal aborts. */
  follow(apply: (desired: DesiredModels) => void, signal: AbortSignal): Promise<void>;
}
