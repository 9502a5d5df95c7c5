/**
 * Keeps onnxruntime from telling its makers about the machine and the models: since version 1.29 it
 * does so by default, and leaves an identifier of the machine in the user's cache. It looks at this
 * variable of the process when the first session is opened; a worker thread has only a copy of the
 * environment, so that the main thread has to call this before.
 */
export function disableTelemetry(): void {
  process.env.ORT_DISABLE_TELEMETRY = '1';
}
