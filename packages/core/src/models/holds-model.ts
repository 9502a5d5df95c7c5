import type { AnalyzerStatus } from './analyzer-status.ts';

/** Whether a host answers with a model now; having its files is not enough. */
export function holdsModel({ ready, report }: AnalyzerStatus, revision: string): boolean {
  return ready && report.some((model) => model.revision === revision && model.state === 'warm');
}
