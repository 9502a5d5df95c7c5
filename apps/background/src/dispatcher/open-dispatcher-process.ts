import { createConsumerMetrics } from '../tasks/consumer-metrics.ts';
import { openEventStream } from '@sightline/composition/events/open-kafka';
import { openExternal } from '@sightline/composition/open-external';
import { openSecrets } from '@sightline/composition/secrets/open-secrets';
import type { OpenedProcess, ProcessContext } from '@sightline/platform/process/run-process';
import { createDispatcherRole } from './role.ts';

const PROCESS = {
  name: 'A dispatcher',
  applicationName: 'sightline dispatcher',
  needs: [],
} as const;

export const DISPATCHER_VARIABLES = ['start', 'database', 'kafka', 'secretKey'] as const;

/** @throws StartError if the database is not configured, unavailable or unusable */
export async function openDispatcherProcess(
  context: ProcessContext<(typeof DISPATCHER_VARIABLES)[number]>,
): Promise<OpenedProcess> {
  await using opening = new AsyncDisposableStack();
  const { stores, endpoints } = opening.use(await openExternal<never>(PROCESS, context));
  const { consumers, deliveries, outbox, installation } = stores;
  const secrets = await openSecrets({ ...context, installation, file: null });
  const events = await openEventStream({ ...context, outbox });
  const observer = createConsumerMetrics(context.registry)('webhooks');
  const deps = {
    ...context,
    consumers,
    deliveries,
    events,
    observer,
    secrets,
    endpoints: () => endpoints,
  };
  const resources = opening.move();
  return {
    roles: [createDispatcherRole(deps)],
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
