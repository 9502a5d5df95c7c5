import type { ApiContext } from '../api-context.ts';
import type { HealthSources, ReembedProgress } from './check-health.ts';

/** What health is read from in this composition. */
export function healthSources(context: ApiContext): HealthSources {
  const { analyzer, database, vectors, media } = context;
  const asksDatabase = (signal: AbortSignal) => database.ready(signal);
  return {
    analyzer,
    checks: {
      database: asksDatabase,
      vectors: async (signal) => (await vectors.state(signal)) === 'ready',
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

async function reembedProgress({
  jobs,
}: Pick<ApiContext, 'jobs'>): Promise<ReembedProgress | null> {
  const unfinished = await jobs.unfinished(['reembed']);
  if (unfinished.length === 0) return null;
  const sum = (count: keyof ReembedProgress) =>
    unfinished.reduce((total, job) => total + job[count], 0);
  return { total: sum('total'), done: sum('done'), failed: sum('failed') };
}
