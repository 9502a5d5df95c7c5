import { openSlowWay } from '../support/servers/slow-proxy.ts';
import { type BreakableService, processFaults, slowness } from './breakable-service.ts';
import { InferenceProcess } from '../support/services/inference-process.ts';

/** Models in a process of their own behind a way that may be slow. */
export async function openBreakableInference(): Promise<BreakableService> {
  await using opening = new AsyncDisposableStack();
  const inference = opening.use(await InferenceProcess.start());
  const way = opening.use(await openSlowWay({ host: '127.0.0.1', port: inference.port }));
  const resources = opening.move();
  return {
    settings: { SIGHTLINE_INFERENCE_URL: `http://${way.host}:${way.port}` },
    faults: { ...processFaults(inference), slow: slowness(way) },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
