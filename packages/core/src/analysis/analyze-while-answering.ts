import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import type { AnsweringStore } from '../store/answering-store.ts';
import type { AnalysisRequest, ImageAnalysis, ImageAnalyzer } from './image-analyzer.ts';

/**
 * After a store has answered it is asked again so many ms later: analyses may take seconds, and with
 * what an adapter takes to find a silent one out this stays below two. Most analyses end before it.
 */
const PAUSE_MS = 600;

/**
 * Analyzes an image for stores that are needed then, as long as all of them answer. One that is known
 * not to is heard of before the analyzer is asked; on one that is found not to meanwhile the analysis
 * is broken off. So nobody waits for an analysis that nothing can come of.
 *
 * @throws the errors of {@link ImageAnalyzer.analyze}; the error of the first store that does not
 *   answer; the signal's reason on abort, whatever else has happened
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
  const watches = stores.map((store) => keepAsking(store, either));
  try {
    await Promise.race([...watches, turn()]);
    return await Promise.race([...watches, analyzer.analyze(request, either)]);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    over.abort();
  }
}

async function keepAsking(store: AnsweringStore, signal: AbortSignal): Promise<never> {
  for (;;) {
    await store.requireAnswer(signal);
    await pause(PAUSE_MS, undefined, { signal });
  }
}
