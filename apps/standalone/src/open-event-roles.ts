import { createConsumerMetrics } from '@sightline/background/tasks/consumer-metrics';
import type { OpenedKafka } from '@sightline/composition/events/open-kafka';
import {
  createDispatcherRole,
  type DispatcherRoleDeps,
} from '@sightline/background/dispatcher/role';
import type { EventStream } from '@sightline/core/events/event-stream';
import type { Role } from '@sightline/platform/lifecycle/role';
import type { ProcessContext } from '@sightline/platform/process/run-process';
import { createProjectorRole } from '@sightline/background/projector/role';
import { createRelayRole, type RelayRoleDeps } from '@sightline/background/relay/role';

export interface EventRolesDeps
  extends
    Pick<ProcessContext, 'logger' | 'registry' | 'operations'>,
    Pick<DispatcherRoleDeps, 'secrets' | 'endpoints'> {
  readonly stores: Pick<DispatcherRoleDeps, 'consumers' | 'deliveries'> &
    Pick<RelayRoleDeps, 'leases' | 'outbox' | 'relays'>;
  /** Null if the roles read events from the database. */
  readonly kafka: OpenedKafka | null;
  readonly embedded: EventStream;
}

/**
 * The roles that send events to webhooks, write the change feed, and relay events to Kafka if Kafka is configured.
 */
export function openEventRoles(deps: EventRolesDeps): readonly Role[] {
  const { stores, kafka, registry } = deps;
  const events = kafka?.stream ?? deps.embedded;
  const observerOf = createConsumerMetrics(registry);
  const consuming = { ...deps, ...stores, events };
  const consumers = [
    createProjectorRole({ ...consuming, observer: observerOf('feed') }),
    createDispatcherRole({ ...consuming, observer: observerOf('webhooks') }),
  ];
  if (kafka === null) return consumers;
  return [createRelayRole({ ...deps, ...stores, publisher: kafka.publisher }), ...consumers];
}
