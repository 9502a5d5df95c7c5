import type { AnalyzerStatus } from '@sightline/core/models/analyzer-status';
import type { ImageAnalyzer } from '@sightline/core/analysis/image-analyzer';
import { DomainError } from '@sightline/core/domain-error';
import type { JobsState } from '@sightline/core/jobs/job-queue';
import type { IndexReader } from '@sightline/core/vectors/index-status';
import type { EventFlow } from './event-flow.ts';
import { withinTime } from './within-time.ts';

export type HealthPart = 'database' | 'vectors' | 'media' | 'events';

/**
 * Resolves to true if the dependency works. Otherwise resolves to false, or rejects with a DomainError if the reason
 * is known.
 */
export type HealthCheck = (signal: AbortSignal) => Promise<boolean>;

export type CheckResult = 'ok' | 'failed';

export interface HealthSources {
  readonly analyzer: Pick<ImageAnalyzer, 'status'>;
  readonly checks: Readonly<Record<HealthPart, HealthCheck>>;
  readonly jobs: (signal: AbortSignal) => Promise<JobsState>;
  /** One sentence for each model that was rolled back, with the reason. */
  readonly rolledBack: (signal: AbortSignal) => Promise<readonly string[]>;
  /** The follower of similarity; null if none has begun. */
  readonly similarity: (signal: AbortSignal) => Promise<Pick<IndexReader, 'oldestSeconds'> | null>;
  /** The state of the index that this process uses for matching; null if it is not registered. */
  readonly index: (signal: AbortSignal) => Promise<IndexReader | null>;
  readonly events: (signal: AbortSignal) => Promise<EventFlow>;
}

export interface ReembedProgress {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
}

export interface HealthReport {
  /**
   * `unavailable`: the service cannot answer any request. `degraded`: it answers requests that do not need the failed
   * dependency or the missing model.
   */
  readonly status: 'ok' | 'degraded' | 'unavailable';
  /** Null if inference is unavailable. */
  readonly analyzer: AnalyzerStatus | null;
  readonly checks: Readonly<Record<HealthPart, CheckResult>>;
  /**
   * One sentence for each failed dependency with a known reason, for each problem with jobs, for each model that was
   * rolled back, and for suggestions that are late. The last two do not degrade the service.
   */
  readonly reasons: readonly string[];
  /** Null if no reembedding is running, or the database is down. */
  readonly reembed: ReembedProgress | null;
  /** Null if the index of this process is not registered, or the database is down. */
  readonly index: IndexReader | null;
  /** Null if the database is down. */
  readonly flow: EventFlow | null;
}

/** Checks inference and all dependencies at once. Never rejects. */
export async function checkHealth(sources: HealthSources): Promise<HealthReport> {
  const { checks } = sources;
  const reasons = new Set<string>();
  const runCheck = async (check: HealthCheck): Promise<CheckResult> => {
    const works = await withinTime(check, (error) => {
      if (error instanceof DomainError) reasons.add(error.message);
    });
    return works === true ? 'ok' : 'failed';
  };
  const [analyzer, jobs, index, rolledBack, flow, similarity, ...works] = await Promise.all([
    withinTime((signal) => sources.analyzer.status(signal)),
    withinTime(sources.jobs),
    withinTime(sources.index),
    withinTime(sources.rolledBack),
    withinTime(sources.events),
    withinTime(sources.similarity),
    runCheck(checks.database),
    runCheck(checks.vectors),
    runCheck(checks.media),
    runCheck(checks.events),
  ]);
  const [database, vectors, media, events] = works;
  const reembed = reembedProgress(jobs);
  const problems = jobs === null ? [] : problemsOf(jobs);
  const report = { analyzer, reembed, index, flow, checks: { database, vectors, media, events } };
  return {
    status: summarize({ ...report, problems }),
    reasons: [...reasons, ...problems, ...(rolledBack ?? []), ...latenessOf(similarity)],
    ...report,
  };
}

function reembedProgress(jobs: JobsState | null): ReembedProgress | null {
  const reembed = jobs?.unfinished.find(({ type }) => type === 'reembed');
  if (reembed === undefined) return null;
  const { total, done, failed } = reembed;
  return { total, done, failed };
}

/** The time after which suggestions and groups count as late, in seconds. */
const LATE_SIMILARITY = 60;

/** Returns a sentence if similarity is late. That degrades no service, because requests only see older suggestions. */
function latenessOf(similarity: Pick<IndexReader, 'oldestSeconds'> | null): readonly string[] {
  const seconds = similarity?.oldestSeconds ?? 0;
  if (seconds < LATE_SIMILARITY) return [];
  return [`Suggestions, groups and mismatches are ${Math.floor(seconds / 60)} minutes behind.`];
}

/** A job without progress for this time counts as stuck, in seconds. */
const LONGEST_STILL = 300;

/**
 * The problems of jobs, one sentence each. Failed images do not count as problems; otherwise one tenant's bad images
 * would degrade the service for all tenants.
 */
function problemsOf({ unfinished }: JobsState): readonly string[] {
  return unfinished.flatMap(({ type, stillSeconds, waitingSeconds }) => [
    ...sentence(stillSeconds, (time) => `A job of type ${type} has made no progress for ${time}.`),
    ...sentence(
      waitingSeconds,
      (time) =>
        `A job of type ${type} has waited for ${time}: a service that it needs is unavailable.`,
    ),
  ]);
}

/** Returns a list with one sentence, or an empty list if the time is too short to be a problem. */
function sentence(seconds: number, text: (time: string) => string): readonly string[] {
  return seconds < LONGEST_STILL ? [] : [text(`${Math.floor(seconds / 60)} minutes`)];
}

type Findings = Omit<HealthReport, 'status' | 'reasons'> & { readonly problems: readonly string[] };

function summarize({ analyzer, checks, reembed, problems }: Findings): HealthReport['status'] {
  if (checks.database === 'failed') return 'unavailable';
  const hasFailed = Object.values(checks).includes('failed');
  const lacksModels = analyzer?.ready !== true || analyzer.models.length === 0;
  const isBehind = reembed !== null || problems.length > 0;
  return hasFailed || lacksModels || isBehind ? 'degraded' : 'ok';
}
