import { DomainError } from '@sightline/core/domain-error';
import type { AnalyzerStatus, ImageAnalyzer } from '@sightline/core/analysis/image-analyzer';
import type { IndexReader } from '@sightline/core/vectors/index-status';
import { orAbort } from '@sightline/platform/resilience/or-abort';

/** The parts beside inference. */
export type HealthPart = 'database' | 'vectors' | 'media' | 'events';

/** Whether the part works; rejecting says that it does not, a DomainError also how. */
export type HealthCheck = (signal: AbortSignal) => Promise<boolean>;

export type CheckResult = 'ok' | 'failed';

export interface HealthSources {
  readonly analyzer: Pick<ImageAnalyzer, 'status'>;
  readonly checks: Readonly<Record<HealthPart, HealthCheck>>;
  readonly reembed: (signal: AbortSignal) => Promise<ReembedProgress | null>;
  /** How the index stands that this process matches with; null if it is not registered. */
  readonly index: (signal: AbortSignal) => Promise<IndexReader | null>;
}

/** Images whose faces get their embeddings of a new model. */
export interface ReembedProgress {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
}

export interface HealthReport {
  /**
   * `unavailable`: nothing can be answered. `degraded`: what does not need the failed part, or a
   * model where there is none, can.
   */
  readonly status: 'ok' | 'degraded' | 'unavailable';
  /** Null if inference does not answer. */
  readonly analyzer: AnalyzerStatus | null;
  readonly checks: Readonly<Record<HealthPart, CheckResult>>;
  /** Of parts that fail, as far as they say what is wrong: a sentence each. */
  readonly reasons: readonly string[];
  /** Null if none is under way, or the database cannot tell. */
  readonly reembed: ReembedProgress | null;
  /** Null if it is not registered, or the database cannot tell. */
  readonly index: IndexReader | null;
}

/** Health is asked for often and has to answer soon, also when a part hangs. */
const CHECK_TIMEOUT_MS = 2_000;

/** Asks inference and every part at once. Never rejects. */
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

/** Null for what fails or does not settle in time, whether or not it heeds its signal. */
async function withinTime<T>(
  work: (signal: AbortSignal) => Promise<T>,
  onFailure?: (error: unknown) => void,
): Promise<T | null> {
  const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
  try {
    return await orAbort(work(signal), signal);
  } catch (error) {
    onFailure?.(error);
    return null;
  }
}

function summarize({ analyzer, checks, reembed }: Omit<HealthReport, 'status' | 'reasons'>) {
  if (checks.database === 'failed') return 'unavailable';
  const hasFailed = Object.values(checks).includes('failed');
  const cannotRecognise = analyzer?.ready !== true || analyzer.models.length === 0;
  return hasFailed || cannotRecognise || reembed !== null ? 'degraded' : 'ok';
}
