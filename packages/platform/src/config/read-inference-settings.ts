import type { Config } from './variable-groups.ts';

/** Inference processes. */
export interface InferenceSettings {
  /** At least one; all of them run the same models. */
  readonly urls: readonly URL[];
}

/** The inference processes of the configuration; null: models run in this process. */
export function readInferenceSettings(config: Config<'inference'>): InferenceSettings | null {
  if (config.inferenceUrl === null) return null;
  return { urls: config.inferenceUrl.map((address) => new URL(address)) };
}
