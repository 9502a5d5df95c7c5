import { randomUUID } from 'node:crypto';
import { openKafka } from '@sightline/composition/events/open-kafka';
import { openExternal } from '@sightline/composition/open-external';
import { readKafkaSettings } from '@sightline/platform/config/read-kafka-settings';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { OpenedProcess, ProcessContext } from '@sightline/platform/process/run-process';
import { createRelayRole } from './role.ts';

const PROCESS = { name: 'A relay', applicationName: 'sightline relay', needs: [] } as const;

/** The groups of variables that a relay reads. */
export const RELAY_VARIABLES = ['start', 'database', 'kafka'] as const;

/** @throws StartError if the database or Kafka is not configured, or the database unavailable or unusable */
export async function openRelayProcess(
  context: ProcessContext<(typeof RELAY_VARIABLES)[number]>,
): Promise<OpenedProcess> {
  const settings = readKafkaSettings(context.config);
  if (settings === null) throw new StartError('A relay needs Kafka: set SIGHTLINE_KAFKA_BROKERS.');
  await using opening = new AsyncDisposableStack();
  const { logger } = context;
  const { stores } = opening.use(await openExternal<never>(PROCESS, context));
  const { publisher } = opening.use(openKafka(settings, logger));
  const { outbox, relays, leases } = stores;
  const holder = `relay ${randomUUID()}`;
  const resources = opening.move();
  return {
    roles: [createRelayRole({ logger, outbox, relays, leases, publisher, holder })],
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
