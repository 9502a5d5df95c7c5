import type { ApiContext } from '../api-context.ts';
import type { HealthSources, ReembedProgress } from './check-health.ts';

/** What health is read from in this composition. */
export function healthSources(context: ApiContext): HealthSources {
  const { analyzer, database, media } = context;
  const asksDatabase = (signal: AbortSignal) => database.ready(signal);
  return {
    analyzer,
    checks: {
      database: asksDatabase,
      vectors: (signal) => mayMatch(context, signal),
      media: async (signal) => {
        await media.freeBytes(signal);
        return true;
      },
      // Events wait in a table of the database until somebody takes them.
      events: asksDatabase,
    },
    reembed: () => reembedProgress(context),
  };
}

/** Whether the index is complete, and matching may use it. */
async function mayMatch(
  { vectors, indexStatus, changeLog }: Pick<ApiContext, 'vectors' | 'indexStatus' | 'changeLog'>,
  signal: AbortSignal,
): Promise<boolean> {
  if ((await vectors.state(signal)) !== 'ready') return false;
  const readers = await indexStatus.readers(signal);
  const own = readers.find(({ name }) => name === changeLog.reader);
  return own !== undefined && own.state !== 'unfilled';
}

async function reembedProgress({
  jobs,
}: Pick<ApiContext, 'jobs'>): Promise<ReembedProgress | null> {
  const unfinished = await jobs.unfinished(['reembed']);
  if (unfinished.length === 0) return null;
  const sum = (count: keyof ReembedProgress) =>
    unfinished.reduce((total, job) => total + job[count], 0);
  return { total: sum('total'), done: sum('done'), failed: sum('failed') };
}
