import { openKafkaOf } from '@sightline/composition/events/open-kafka';
import { openExternal } from '@sightline/composition/open-external';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { OpenedProcess, ProcessContext } from '@sightline/platform/process/run-process';
import { createRelayRole } from './role.ts';

const PROCESS = { name: 'A relay', applicationName: 'sightline relay', needs: [] } as const;

export const RELAY_VARIABLES = ['start', 'database', 'kafka'] as const;

/** @throws StartError if the database or Kafka is not configured, or if the database is unavailable or unusable */
export async function openRelayProcess(
  context: ProcessContext<(typeof RELAY_VARIABLES)[number]>,
): Promise<OpenedProcess> {
  await using opening = new AsyncDisposableStack();
  const kafka = opening.use(await openKafkaOf(context.config, context.logger));
  if (kafka === null) throw new StartError('A relay needs Kafka: set SIGHTLINE_KAFKA_BROKERS.');
  const { logger, registry } = context;
  const { stores } = opening.use(await openExternal<never>(PROCESS, context));
  const { publisher } = kafka;
  const { outbox, relays, leases } = stores;
  const resources = opening.move();
  return {
    roles: [createRelayRole({ logger, registry, outbox, relays, leases, publisher })],
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
