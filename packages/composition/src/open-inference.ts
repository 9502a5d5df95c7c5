import { setTimeout as delay } from 'node:timers/promises';
import { InferenceUnavailable } from '@sightline/core/models/model-errors';
import { HttpImageAnalyzer } from '@sightline/inference-http/http-image-analyzer';
import type { InferenceSettings } from '@sightline/platform/config/read-inference-settings';
import type { Patience } from './await-dependency.ts';
import { type Watchers, watchService } from './watch-service.ts';

/** Models that run elsewhere. */
export interface OutsideInference extends AsyncDisposable {
  readonly analyzer: HttpImageAnalyzer;
  /** How many there are. */
  readonly addresses: number;
  /** Whether one of those that answer now runs on a GPU. */
  readonly hasGpu: (signal?: AbortSignal) => Promise<boolean>;
}

/** Images of one batch that are at work at each address at the same time. */
export const BATCH_PER_ADDRESS = 4;
const PAUSE_MS = 250;
/** Processes that are started together are warm by then, mostly. */
const LONGEST_WAIT_MS = 15_000;

/**
 * Opens inference processes, and waits a little for one that answers with its models warm. Nothing
 * but what needs a model misses them: a process starts without them too, and finds them later.
 *
 * @throws the signal's reason on abort
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
  if (!(await isWarm(analyzer, patience))) {
    patience.logger.warn(`Inference at ${places} has no model ready: what needs one answers 503`);
  }
  const resources = opening.move();
  return {
    ...{ analyzer, addresses: urls.length },
    hasGpu: async (signal) =>
      (await analyzer.statuses(signal)).some(({ provider }) => provider === 'cuda'),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** Whether a model was ready in time. */
async function isWarm(
  analyzer: HttpImageAnalyzer,
  { timeoutMs, signal }: Patience,
): Promise<boolean> {
  const giveUpAt = performance.now() + Math.min(timeoutMs, LONGEST_WAIT_MS);
  while (performance.now() < giveUpAt) {
    const status = await analyzer.status(signal).catch(() => null);
    signal.throwIfAborted();
    if (status?.ready === true) return true;
    await delay(PAUSE_MS, undefined, { signal });
  }
  return false;
}

function unavailable(cause: unknown): InferenceUnavailable {
  return new InferenceUnavailable('Inference does not answer at the moment.', {}, { cause });
}
