import type { ConnectedProcess } from '@sightline/core/installation/system-state';
import type { JobTypeState } from '@sightline/core/jobs/job-queue';
import type { AnalyzerStatus } from '@sightline/core/models/analyzer-status';
import type { IndexReader } from '@sightline/core/vectors/index-status';
import type { ApiContext } from '../context/api-context.ts';
import type { HealthAnswer } from '../context/health-answer.ts';
import type { SystemAnswer } from '../context/system-answer.ts';
import { presentIndex } from './report-health.ts';
import { withinTime } from './within-time.ts';

export type SystemContext = Pick<
  ApiContext,
  | 'databaseFreeBytes'
  | 'deliveries'
  | 'hosts'
  | 'indexStatus'
  | 'jobs'
  | 'maintenance'
  | 'maxRequests'
  | 'media'
  | 'requestsInFlight'
  | 'systemState'
  | 'version'
  | 'waiting'
> & { readonly health: () => Promise<HealthAnswer> };

/** Reads all parts at once. Never rejects: parts that cannot be read in time are null. */
export async function reportSystem(context: SystemContext): Promise<SystemAnswer> {
  const { body } = await context.health();
  const [processes, inference, jobs, indexes, outbox, deliveries, storage] = await Promise.all([
    withinTime((signal) => context.systemState.processes(signal)),
    withinTime((signal) => context.hosts.statuses(signal)),
    withinTime((signal) => context.jobs.state(signal)),
    withinTime((signal) => readIndexes(context, signal)),
    withinTime((signal) => context.maintenance.outboxState(signal)),
    withinTime((signal) => context.deliveries.state(signal)),
    readStorage(context),
  ]);
  const { status, provider, checks, reasons } = body;
  return {
    as_of: new Date().toISOString(),
    version: context.version,
    uptime_seconds: body.uptime_seconds,
    health: { status, provider, checks, reasons },
    requests: {
      in_flight: Math.max(0, context.requestsInFlight() - context.waiting.count),
      waiting: context.waiting.count,
      limit: context.maxRequests,
    },
    processes: listOf(processes, presentProcess),
    inference: listOf(inference, presentHost),
    jobs: listOf(jobs?.unfinished, presentJobs),
    indexes: listOf(indexes, presentReader),
    outbox: outbox && {
      events: outbox.rows,
      oldest_transaction_seconds: outbox.horizonAgeSeconds,
    },
    events: body.events,
    deliveries: deliveries && {
      first: deliveries.first,
      repeated: deliveries.repeated,
      oldest_seconds: deliveries.oldestSeconds,
    },
    storage,
  };
}

/** Null if the items could not be read. */
function listOf<Item, Presented>(
  items: readonly Item[] | null | undefined,
  present: (item: Item) => Presented,
): Presented[] | null {
  return items?.map((item) => present(item)) ?? null;
}

async function readIndexes(
  { indexStatus }: SystemContext,
  signal: AbortSignal,
): Promise<readonly IndexReader[]> {
  const [readers, similarity] = await Promise.all([
    indexStatus.readers(signal),
    indexStatus.similarity(signal),
  ]);
  return similarity === null ? readers : [...readers, similarity];
}

async function readStorage({
  systemState,
  media,
  databaseFreeBytes,
}: SystemContext): Promise<SystemAnswer['storage']> {
  const [stored, free, databaseFree] = await Promise.all([
    withinTime((signal) => systemState.storage(signal)),
    withinTime((signal) => media.freeBytes(signal)),
    withinTime(databaseFreeBytes),
  ]);
  return {
    stored_bytes: stored?.storedBytes ?? null,
    set_aside_bytes: stored?.setAsideBytes ?? null,
    free_bytes: free,
    database_bytes: stored?.databaseBytes ?? null,
    database_free_bytes: databaseFree,
  };
}

function presentProcess(process: ConnectedProcess) {
  const { role, id, version, address, connections, connectedAt, idleSeconds } = process;
  return {
    role,
    id,
    version,
    address,
    connections,
    connected_at: connectedAt?.toISOString() ?? null,
    // The clocks of a statement may differ by some microseconds.
    idle_seconds: idleSeconds === null ? null : Math.max(0, idleSeconds),
  };
}

function presentHost({ ready, provider, hasGpu, report }: AnalyzerStatus) {
  return {
    ready,
    provider,
    has_gpu: hasGpu ?? null,
    models: report.map(({ name, task, state, error, deaths }) => ({
      name,
      task,
      state,
      error: error?.message ?? null,
      deaths,
    })),
  };
}

function presentJobs({ type, jobs, total, done, failed, ...times }: JobTypeState) {
  const { stillSeconds, waitingSeconds } = times;
  return {
    type,
    jobs,
    total,
    done,
    failed,
    still_seconds: Math.max(0, stillSeconds),
    waiting_seconds: Math.max(0, waitingSeconds),
  };
}

function presentReader(reader: IndexReader) {
  return {
    ...presentIndex(reader),
    name: reader.name,
    oldest_seconds: Math.max(0, reader.oldestSeconds),
    seen_seconds: Math.max(0, reader.unseenSeconds),
  };
}
