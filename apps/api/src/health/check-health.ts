import type { AnalyzerStatus, ImageAnalyzer } from '@sightline/core/detections/image-analyzer';

/** The parts beside inference that an installation may have. */
export type HealthPart = 'database' | 'vectors' | 'media' | 'events';

/** Rejects if the part does not work. Parts without a check are not configured. */
export type HealthCheck = (signal: AbortSignal) => Promise<void>;
export type HealthChecks = Readonly<Partial<Record<HealthPart, HealthCheck>>>;

export type CheckResult = 'ok' | 'failed' | 'not_configured';

export interface HealthReport {
  /** `unavailable`: nothing can be answered. `degraded`: what does not need the failed part can. */
  readonly status: 'ok' | 'degraded' | 'unavailable';
  /** Null if inference does not answer. */
  readonly analyzer: AnalyzerStatus | null;
  readonly checks: Readonly<Record<HealthPart, CheckResult>>;
}

/** Health is asked for often and has to answer soon, also when a part hangs. */
const CHECK_TIMEOUT_MS = 2_000;

/** Asks inference and every configured part at once. Never rejects. */
export async function checkHealth(
  analyzer: ImageAnalyzer,
  checks: HealthChecks,
): Promise<HealthReport> {
  const [status, database, vectors, media, events] = await Promise.all([
    askAnalyzer(analyzer),
    runCheck(checks.database),
    runCheck(checks.vectors),
    runCheck(checks.media),
    runCheck(checks.events),
  ]);
  const results = { database, vectors, media, events };
  return { status: summarize(status, results), analyzer: status, checks: results };
}

async function askAnalyzer(analyzer: ImageAnalyzer): Promise<AnalyzerStatus | null> {
  try {
    return await withinTime((signal) => analyzer.status(signal));
  } catch {
    return null;
  }
}

async function runCheck(check: HealthCheck | undefined): Promise<CheckResult> {
  if (check === undefined) return 'not_configured';
  try {
    await withinTime(check);
    return 'ok';
  } catch {
    return 'failed';
  }
}

/** Settles in time even if the work does not heed its signal. */
function withinTime<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
  const timeout = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([work(signal), timeout]);
}

function summarize(
  analyzer: AnalyzerStatus | null,
  checks: HealthReport['checks'],
): HealthReport['status'] {
  if (analyzer?.ready !== true || checks.database === 'failed') return 'unavailable';
  return Object.values(checks).includes('failed') ? 'degraded' : 'ok';
}
