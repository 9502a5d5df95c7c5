import { createConsumerMetrics } from '../tasks/consumer-metrics.ts';
import { openEventStream } from '@sightline/composition/events/open-kafka';
import { openExternal } from '@sightline/composition/open-external';
import type { OpenedProcess, ProcessContext } from '@sightline/platform/process/run-process';
import { createProjectorRole } from './role.ts';

const PROCESS = {
  name: 'A projector',
  applicationName: 'sightline projector',
  needs: [],
} as const;

export const PROJECTOR_VARIABLES = ['start', 'database', 'kafka'] as const;

/** @throws StartError if the database is not configured, unavailable or unusable */
export async function openProjectorProcess(
  context: ProcessContext<(typeof PROJECTOR_VARIABLES)[number]>,
): Promise<OpenedProcess> {
  await using opening = new AsyncDisposableStack();
  const { stores } = opening.use(await openExternal<never>(PROCESS, context));
  const { consumers, outbox } = stores;
  const { logger, registry } = context;
  const events = await openEventStream({ ...context, outbox });
  const observer = createConsumerMetrics(registry)('feed');
  const resources = opening.move();
  return {
    roles: [createProjectorRole({ logger, consumers, events, observer })],
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
