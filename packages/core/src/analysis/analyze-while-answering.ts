import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import type { AnsweringStore } from '../store/answering-store.ts';
import type { AnalysisRequest, ImageAnalysis, ImageAnalyzer } from './image-analyzer.ts';

/**
 * The interval between probes of a store during an analysis, in ms. Together with the adapter's detection of a hanging
 * store, an outage is noticed within 2 s. Most analyses end before the second probe.
 */
const PAUSE_MS = 600;

/**
 * Analyzes an image while probing the stores that the next step needs, so that no caller waits for an analysis that
 * cannot be used. If a store is unavailable at the start, the analyzer is not called. If a store becomes unavailable
 * later, the analysis is aborted.
 *
 * @throws the errors of {@link ImageAnalyzer.analyze}; the error of the first store that does not answer; the signal's
 *   reason on abort, even after another error
 */
export async function analyzeWhileAnswering(
  {
    analyzer,
    stores,
  }: { readonly analyzer: ImageAnalyzer; readonly stores: readonly AnsweringStore[] },
  request: AnalysisRequest,
  signal?: AbortSignal,
): Promise<ImageAnalysis> {
  signal?.throwIfAborted();
  const over = new AbortController();
  const either = signal ? AbortSignal.any([signal, over.signal]) : over.signal;
  const probes = stores.map((store) => probeRepeatedly(store, either));
  try {
    await Promise.race([...probes, turn()]);
    return await Promise.race([...probes, analyzer.analyze(request, either)]);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    over.abort();
  }
}

async function probeRepeatedly(store: AnsweringStore, signal: AbortSignal): Promise<never> {
  for (;;) {
    await store.requireAnswer(signal);
    await pause(PAUSE_MS, undefined, { signal });
  }
}
