import { DomainError } from '@sightline/core/domain-error';
import type { AnalyzerStatus, ImageAnalyzer } from '@sightline/core/analysis/image-analyzer';
import type { IndexReader } from '@sightline/core/vectors/index-status';

/** The checked parts, besides inference. */
export type HealthPart = 'database' | 'vectors' | 'media' | 'events';

/** Whether the part works. A rejection means that it does not; the message of a DomainError is shown. */
export type HealthCheck = (signal: AbortSignal) => Promise<boolean>;

export type CheckResult = 'ok' | 'failed';

export interface HealthSources {
  readonly analyzer: Pick<ImageAnalyzer, 'status'>;
  readonly checks: Readonly<Record<HealthPart, HealthCheck>>;
  readonly reembed: (signal: AbortSignal) => Promise<ReembedProgress | null>;
  /** The state of the index that this process matches with; null if it is not registered. */
  readonly index: (signal: AbortSignal) => Promise<IndexReader | null>;
}

/** Images whose embeddings are recomputed for a new model. */
export interface ReembedProgress {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
}

export interface HealthReport {
  /**
   * `unavailable`: no request can be answered. `degraded`: requests that need neither the failed part
   * nor a missing model can.
   */
  readonly status: 'ok' | 'degraded' | 'unavailable';
  /** Null if inference is unavailable. */
  readonly analyzer: AnalyzerStatus | null;
  readonly checks: Readonly<Record<HealthPart, CheckResult>>;
  /** One sentence per failed part that gives a reason. */
  readonly reasons: readonly string[];
  /** Null if no job is unfinished, or the database is unavailable. */
  readonly reembed: ReembedProgress | null;
  /** Null if it is not registered, or the database is unavailable. */
  readonly index: IndexReader | null;
}

/** Health is polled and has to answer soon, also when a part hangs. */
const CHECK_TIMEOUT_MS = 2_000;

/** Checks inference and every part at the same time. Never rejects. */
export async function checkHealth(sources: HealthSources): Promise<HealthReport> {
  const { checks } = sources;
  const reasons = new Set<string>();
  const runCheck = async (check: HealthCheck): Promise<CheckResult> => {
    const works = await withinTime(check, (error) => {
      if (error instanceof DomainError) reasons.add(error.message);
    });
    return works === true ? 'ok' : 'failed';
  };
  const [analyzer, reembed, index, database, vectors, media, events] = await Promise.all([
    withinTime((signal) => sources.analyzer.status(signal)),
    withinTime(sources.reembed),
    withinTime(sources.index),
    runCheck(checks.database),
    runCheck(checks.vectors),
    runCheck(checks.media),
    runCheck(checks.events),
  ]);
  const report = { analyzer, reembed, index, checks: { database, vectors, media, events } };
  return { status: summarize(report), reasons: [...reasons], ...report };
}

/** Null if the work fails or does not settle in time, even if it ignores its signal. */
async function withinTime<T>(
  work: (signal: AbortSignal) => Promise<T>,
  onFailure?: (error: unknown) => void,
): Promise<T | null> {
  const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
  const timeout = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  try {
    return await Promise.race([work(signal), timeout]);
  } catch (error) {
    onFailure?.(error);
    return null;
  }
}

function summarize({ analyzer, checks, reembed }: Omit<HealthReport, 'status' | 'reasons'>) {
  if (checks.database === 'failed') return 'unavailable';
  const hasFailed = Object.values(checks).includes('failed');
  const hasNoModel = analyzer?.ready !== true || analyzer.models.length === 0;
  return hasFailed || hasNoModel || reembed !== null ? 'degraded' : 'ok';
}
