/**
 * Disables onnxruntime's telemetry, which since version 1.29 reports the machine and the models by
 * default and stores a machine identifier in the user's cache. onnxruntime reads this variable when
 * the first session is opened. Call this on the main thread before starting workers, because a
 * worker thread has only a copy of the environment.
 */
export function disableTelemetry(): void {
  process.env.ORT_DISABLE_TELEMETRY = '1';
}
