import { setTimeout as delay } from 'node:timers/promises';
import type { AnalyzerStatus } from '@sightline/core/detections/image-analyzer';
import { InferenceUnavailable } from '@sightline/core/models/model-errors';
import { HttpImageAnalyzer } from '@sightline/inference-http/http-image-analyzer';
import type { InferenceSettings } from '@sightline/platform/config/read-inference-settings';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { awaitDependency, type Patience } from './await-dependency.ts';
import { type Watchers, watchService } from './watch-service.ts';

/** Models that run elsewhere. */
export interface OutsideInference extends AsyncDisposable {
  readonly analyzer: HttpImageAnalyzer;
  /** How many there are. */
  readonly addresses: number;
  /** As it was at the start. */
  readonly status: AnalyzerStatus;
}

/** Images of one batch that are at work at each address at the same time. */
export const BATCH_PER_ADDRESS = 4;
const PAUSE_MS = 250;

/**
 * Opens inference processes, and waits until one of them answers with its models warm.
 *
 * @throws StartError if none does in time
 */
export async function openInference(
  { urls }: InferenceSettings,
  patience: Patience & Watchers,
): Promise<OutsideInference> {
  await using opening = new AsyncDisposableStack();
  const analyzer = opening.use(
    new HttpImageAnalyzer({
      urls,
      guardOf: ({ url, ping }) => {
        const name = `inference_${urls.findIndex(({ origin }) => origin === url) + 1}`;
        return opening.use(watchService({ name, ping, unavailable }, patience)).guard;
      },
    }),
  );
  const places = urls.map(({ origin }) => origin).join(', ');
  const what = `Inference at ${places}`;
  const status = await awaitDependency(what, patience, () => warm(analyzer, what, patience));
  const resources = opening.move();
  return {
    ...{ analyzer, status, addresses: urls.length },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Models are read and warmed behind an address that answers already. */
async function warm(
  analyzer: HttpImageAnalyzer,
  what: string,
  { timeoutMs, signal }: Patience,
): Promise<AnalyzerStatus> {
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    const status = await analyzer.status(signal);
    if (status.ready) return status;
    if (performance.now() > giveUpAt) throw new StartError(`${what} has no model ready.`);
    await delay(PAUSE_MS, undefined, { signal });
  }
}

function unavailable(cause: unknown): InferenceUnavailable {
  return new InferenceUnavailable('Inference does not answer at the moment.', {}, { cause });
}
