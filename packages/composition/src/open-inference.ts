import { setTimeout as delay } from 'node:timers/promises';
import { InferenceUnavailable } from '@sightline/core/models/model-errors';
import {
  HttpImageAnalyzer,
  type HttpImageAnalyzerOptions,
} from '@sightline/analysis/http/http-image-analyzer';
import type { InferenceSettings } from '@sightline/platform/config/read-inference-settings';
import { activateFirstModels } from './activate-models.ts';
import type { StartupWait } from './await-dependency.ts';
import type { OpenedInference } from './inference.ts';
import { databaseControl } from './models/model-control.ts';
import { openClusterControl } from './models/open-cluster-control.ts';
import { SharedObserver } from './shared-observer.ts';
import { type DependencyObservers, watchService } from './watch-service.ts';

/** The maximum number of images of one request or job that are analyzed at the same time, per inference process. */
const IMAGES_PER_PROCESS = 4;
/**
 * The number of processes that are assumed behind a DNS name even if only one has started, because others may follow.
 */
const LEAST_BEHIND_NAME = 2;
const POLL_MS = 250;
const REPORT_MS = 60_000;
/**
 * The longest wait for a loaded model at the start, in ms. Inference processes that start at the same time usually need
 * less.
 */
const LONGEST_WAIT_MS = 15_000;

/**
 * Connects to inference processes, and waits for a limited time until one of them has loaded its models. After that the
 * process starts without models, and requests that need a model fail until models are available.
 *
 * @throws the signal's reason on abort
 */
export async function openInference(
  settings: InferenceSettings,
  wait: StartupWait & DependencyObservers,
): Promise<OpenedInference> {
  await using opening = new AsyncDisposableStack();
  const { urls, isName, key, routes } = settings;
  const analyzer = opening.use(
    new HttpImageAnalyzer({
      ...(isName ? { name: urls[0]! } : { urls }),
      key,
      onKeyRefused: onceAWhile((url) => wait.logger.error({ url }, KEY_REFUSED)),
      guardOf: isName ? guardOne(wait) : guardEach(urls, wait),
    }),
  );
  const control =
    routes === 'database'
      ? databaseControl(analyzer)
      : opening.use(await openClusterControl(routes, wait.logger));
  if (!(await isWarm(analyzer, wait))) {
    const addresses = urls.map(({ origin }) => origin).join(', ');
    wait.logger.warn(
      `No inference process at ${addresses} has loaded a model: requests that need a model fail with status 503`,
    );
  }
  const processes = isName
    ? Math.max(LEAST_BEHIND_NAME, await analyzer.countAddresses())
    : urls.length;
  const concurrency = IMAGES_PER_PROCESS * processes;
  const resources = opening.move();
  return {
    analyzer,
    hosts: analyzer,
    control,
    batchConcurrency: concurrency,
    jobConcurrency: concurrency,
    gpuAvailable: (signal) => analyzer.gpuAvailable(signal),
    // In a cluster, the worker activates models when they are available.
    activate: (stores, signal) =>
      routes === 'database' ? activateFirstModels(stores, analyzer, signal) : Promise.resolve(),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

type GuardOf = NonNullable<HttpImageAnalyzerOptions['guardOf']>;

/** Guards each address as a separate service, named by its position in the configuration. */
function guardEach(urls: readonly URL[], observers: DependencyObservers): GuardOf {
  return ({ url, ping }) => {
    const name = `inference_${urls.findIndex(({ origin }) => origin === url) + 1}`;
    return watchService({ name, ping, unavailable }, observers);
  };
}

/**
 * Guards all addresses behind a DNS name. Metrics show the addresses as one service, because they change; log lines
 * name the single address.
 */
function guardOne({ logger, observer }: DependencyObservers): GuardOf {
  const shared = new SharedObserver('inference', observer);
  return ({ url, ping }) => {
    const member = shared.member();
    const name = `inference ${url}`;
    const watched = watchService({ name, ping, unavailable }, { logger, observer: member });
    return {
      guard: watched.guard,
      [Symbol.dispose]() {
        watched[Symbol.dispose]();
        member[Symbol.dispose]();
      },
    };
  };
}

const KEY_REFUSED =
  'an inference process refuses the key of this process: give both the same SIGHTLINE_INFERENCE_KEY';

/** Limits a function to one call per minute and text. */
function onceAWhile(report: (text: string) => void): (text: string) => void {
  const reported = new Map<string, number>();
  return (text) => {
    const now = performance.now();
    if (now - (reported.get(text) ?? -Infinity) < REPORT_MS) return;
    reported.set(text, now);
    report(text);
  };
}

/** Whether a model was loaded before the timeout. */
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
  return new InferenceUnavailable(
    'Inference does not answer at the moment; try again.',
    {},
    { cause },
  );
}
