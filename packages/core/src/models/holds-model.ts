import type { AnalyzerStatus } from './analyzer-status.ts';

/** Whether a host answers with a model now; that it has the files is not enough. */
export function holdsModel({ ready, models, held }: AnalyzerStatus, revision: string): boolean {
  const warm = held === undefined ? models : held.filter(({ state }) => state === 'warm');
  return ready && warm.some((model) => model.revision === revision);
}
