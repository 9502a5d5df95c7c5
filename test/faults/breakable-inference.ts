import { openSlowProxy } from '../support/servers/slow-proxy.ts';
import { type BreakableService, processFaults, slowness } from './breakable-service.ts';
import { InferenceProcess } from '../support/services/inference-process.ts';

/** An inference process behind a proxy that can be slow. */
export async function openBreakableInference(): Promise<BreakableService> {
  await using opening = new AsyncDisposableStack();
  const inference = opening.use(await InferenceProcess.start());
  const proxy = opening.use(await openSlowProxy({ host: '127.0.0.1', port: inference.port }));
  const resources = opening.move();
  return {
    settings: { SIGHTLINE_INFERENCE_URL: `http://${proxy.host}:${proxy.port}` },
    faults: { ...processFaults(inference), slow: slowness(proxy) },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
