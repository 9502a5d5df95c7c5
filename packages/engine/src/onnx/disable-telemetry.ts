/**
 * Disables onnxruntime's telemetry. Since version 1.29, it reports the machine and the models by
 * default and stores a machine identifier in the user's cache. onnxruntime reads this variable when
 * the first session is opened. The caller must be on the main thread before any worker starts,
 * because a worker thread has only a copy of the environment.
 */
export function disableTelemetry(): void {
  process.env.ORT_DISABLE_TELEMETRY = '1';
}
