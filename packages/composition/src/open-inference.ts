import { setTimeout as delay } from 'node:timers/promises';
import { InferenceUnavailable } from '@sightline/core/models/model-errors';
import { HttpImageAnalyzer } from '@sightline/inference-http/http-image-analyzer';
import type { InferenceSettings } from '@sightline/platform/config/read-inference-settings';
import { activateFirstModels } from './activate-models.ts';
import type { StartupWait } from './await-dependency.ts';
import type { OpenedInference } from './inference.ts';
import { type DependencyObservers, watchService } from './watch-service.ts';

/** How many images of one request or job are analyzed at the same time, per inference process. */
const IMAGES_PER_PROCESS = 4;
const POLL_MS = 250;
const REPORT_MS = 60_000;
/** Processes that are started together have usually loaded their models by then. */
const LONGEST_WAIT_MS = 15_000;

/**
 * Connects to inference processes and waits a little until one of them has loaded its models. A
 * process starts without them, too: only requests that need a model fail until they are available.
 *
 * @throws the signal's reason on abort
 */
export async function openInference(
  { urls, key }: InferenceSettings,
  wait: StartupWait & DependencyObservers,
): Promise<OpenedInference> {
  await using opening = new AsyncDisposableStack();
  const analyzer = opening.use(
    new HttpImageAnalyzer({
      urls,
      key,
      onKeyRefused: onceAWhile((url) => wait.logger.error({ url }, KEY_REFUSED)),
      guardOf: ({ url, ping }) => {
        const name = `inference_${urls.findIndex(({ origin }) => origin === url) + 1}`;
        return opening.use(watchService({ name, ping, unavailable }, wait)).guard;
      },
    }),
  );
  if (!(await isWarm(analyzer, wait))) {
    const addresses = urls.map(({ origin }) => origin).join(', ');
    wait.logger.warn(
      `No inference process at ${addresses} has a model ready: requests that need one get 503`,
    );
  }
  const concurrency = IMAGES_PER_PROCESS * urls.length;
  const resources = opening.move();
  return {
    analyzer,
    hosts: analyzer,
    batchConcurrency: concurrency,
    jobConcurrency: concurrency,
    gpuAvailable: (signal) => analyzer.gpuAvailable(signal),
    activate: (stores, signal) => activateFirstModels(stores, analyzer, signal),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

const KEY_REFUSED =
  'an inference process refuses the key of this process: give both the same SIGHTLINE_INFERENCE_KEY';

/** Calls a function for each text at most once a minute. */
function onceAWhile(report: (text: string) => void): (text: string) => void {
  const reported = new Map<string, number>();
  return (text) => {
    const now = performance.now();
    if (now - (reported.get(text) ?? -Infinity) < REPORT_MS) return;
    reported.set(text, now);
    report(text);
  };
}

/** Whether a model was ready in time. */
async function isWarm(
  analyzer: HttpImageAnalyzer,
  { timeoutMs, signal }: StartupWait,
): Promise<boolean> {
  const giveUpAt = performance.now() + Math.min(timeoutMs, LONGEST_WAIT_MS);
  while (performance.now() < giveUpAt) {
    const status = await analyzer.status(signal).catch(() => null);
    signal.throwIfAborted();
    if (status?.ready === true) return true;
    await delay(POLL_MS, undefined, { signal });
  }
  return false;
}

function unavailable(cause: unknown): InferenceUnavailable {
  return new InferenceUnavailable('Inference does not answer at the moment.', {}, { cause });
}
