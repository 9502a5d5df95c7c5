import type { IndexReader } from '@sightline/core/vectors/index-status';
import type { ApiContext } from '../context/api-context.ts';
import type { HealthSources } from './check-health.ts';
import { type EventFlow, readEventFlow } from './event-flow.ts';
import { requireEventsFlow } from './require-events-flow.ts';

export type HealthContext = Pick<
  ApiContext,
  | 'activations'
  | 'analyzer'
  | 'database'
  | 'media'
  | 'vectors'
  | 'indexStatus'
  | 'changeLog'
  | 'consumers'
  | 'eventTopic'
  | 'maintenance'
  | 'jobs'
  | 'models'
  | 'relays'
  | 'version'
>;

export function healthSources(context: HealthContext): HealthSources {
  const { analyzer, database, media, models } = context;
  const asksDatabase = (signal: AbortSignal) => database.ready(signal);
  let reader: Promise<IndexReader | null> | undefined;
  const index = (signal: AbortSignal) => (reader ??= ownReader(context, signal));
  let events: Promise<EventFlow> | undefined;
  const flow = (signal: AbortSignal) => (events ??= readEventFlow(context, signal));
  return {
    analyzer: {
      status: (signal) => {
        // The cached models may be two seconds old; without this line, a report would show a switch of models late.
        models.forget();
        return analyzer.status(signal);
      },
    },
    checks: {
      database: asksDatabase,
      vectors: async (signal) => {
        if ((await context.vectors.state(signal)) !== 'ready') return false;
        const own = await index(signal);
        return own !== null && own.state !== 'unfilled';
      },
      media: async (signal) => {
        await media.check(signal);
        return true;
      },
      events: async (signal) => {
        if (!(await asksDatabase(signal))) return false;
        requireEventsFlow(await flow(signal));
        return true;
      },
    },
    jobs: (signal) => context.jobs.state(signal),
    rolledBack: async (signal) =>
      (await context.activations.rolledBack(signal)).map(({ reason }) => reason),
    index,
    similarity: (signal) => context.indexStatus.similarity(signal),
    events: flow,
  };
}

async function ownReader(
  { indexStatus, changeLog }: Pick<ApiContext, 'indexStatus' | 'changeLog'>,
  signal: AbortSignal,
): Promise<IndexReader | null> {
  const readers = await indexStatus.readers(signal);
  return readers.find(({ name }) => name === changeLog.reader) ?? null;
}
