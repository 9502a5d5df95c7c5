import type { Config } from './parse-config.ts';

/** Inference processes. */
export interface InferenceSettings {
  /** At least one; all of them run the same models. */
  readonly urls: readonly URL[];
}

/** Where the configuration has models run; null: in this process. */
export function readInferenceSettings(config: Config): InferenceSettings | null {
  if (config.inferenceUrl === null) return null;
  return { urls: config.inferenceUrl.map((address) => new URL(address)) };
}
