import type { AnalyzerStatus } from './analyzer-status.ts';

/** Whether a host serves a model now. The model's files on its disk are not enough. */
export function holdsModel({ ready, report }: AnalyzerStatus, revision: string): boolean {
  return ready && report.some((model) => model.revision === revision && model.state === 'warm');
}
