import { backgroundRole } from '../tasks/background-role.ts';
import { ALL_DONE, type BackgroundTask } from '../tasks/background-task.ts';
import type { ConsumerObserver } from '../tasks/consumer-metrics.ts';
import { consumerTasks } from '../tasks/consumer-tasks.ts';
import { OutageLog } from '../tasks/outage-log.ts';
import { TaskLoop } from '../tasks/task-loop.ts';
import type { ConsumerStore } from '@sightline/core/database/consumer-store';
import type { EventStream } from '@sightline/core/events/event-stream';
import { EventConsumer } from '@sightline/core/publishing/event-consumer';
import type { DeliveryQueue } from '@sightline/core/webhooks/delivery-queue';
import type { SecretBox } from '@sightline/core/secrets/secret-box';
import type { Role } from '@sightline/platform/lifecycle/role';
import { GuardedFetch } from '@sightline/platform/outgoing/guarded-fetch';
import type { Endpoint, Resolve } from '@sightline/platform/outgoing/target-guard';
import type { ProcessContext } from '@sightline/platform/process/run-process';
import { postMessages } from '@sightline/events/webhooks/post-message';
import { createDispatcherMetrics } from './dispatcher-metrics.ts';
import { HEARTBEAT_MS, HeldWebhooks } from './held-webhooks.ts';

export interface DispatcherRoleDeps extends Pick<
  ProcessContext,
  'logger' | 'operations' | 'registry'
> {
  readonly consumers: ConsumerStore;
  readonly deliveries: DeliveryQueue;
  readonly events: EventStream;
  readonly observer?: ConsumerObserver;
  readonly secrets: SecretBox;
  /** The addresses of this service and its stores, to which no webhook may point. */
  readonly endpoints: () => readonly Endpoint[];
  /** Resolves the host names of webhooks; if absent, the system's resolver does. */
  readonly resolve?: Resolve;
}

/** The interval in ms between two polls for messages that other processes queued or that are due again. */
const POLL_MS = 1_000;
const HOUR_MS = 3_600_000;
/** How long records of attempts are kept, in hours. */
const DELIVERY_HOURS = 7 * 24;

/** Sends events to webhooks. Any number of processes may have this role. */
export function createDispatcherRole(deps: DispatcherRoleDeps): Role {
  const { logger, operations, consumers, deliveries, events, secrets, endpoints, resolve } = deps;
  const { observer = {} } = deps;
  const outgoing = new GuardedFetch({
    ownEndpoints: () => [operations.endpoint, ...endpoints()].filter((own) => own !== null),
    ...(resolve && { resolve }),
  });
  const outages = new OutageLog(logger);
  const held = new HeldWebhooks({
    queue: deliveries,
    secrets,
    send: postMessages(outgoing),
    observer: createDispatcherMetrics(deps.registry),
    failed: (error) => outages.failed('send_messages', error),
  });
  const loopOf = (task: BackgroundTask) => new TaskLoop(task, { outages });
  const sending = loopOf({
    name: 'send_messages',
    everyMs: POLL_MS,
    gatherMs: 0,
    run: (signal) => held.take(signal),
  });
  const renewing = loopOf({
    name: 'renew_webhooks',
    everyMs: HEARTBEAT_MS,
    run: async () => {
      await held.renew();
      return ALL_DONE;
    },
  });
  const consumer = new EventConsumer({
    store: consumers,
    stream: events,
    consumer: 'webhooks',
    consume: ({ turns }, stored) => turns.wake(stored),
    consumed: () => {
      held.expectDue();
      sending.wake();
    },
    ...observer,
  });
  const loops = [
    sending,
    renewing,
    ...consumerTasks(consumer, 'wake_webhooks').map(loopOf),
    loopOf(pruneTask(deliveries)),
  ];
  return backgroundRole({
    name: 'dispatcher',
    loops,
    async release() {
      await held[Symbol.asyncDispose]();
      await outgoing[Symbol.asyncDispose]();
    },
  });
}

function pruneTask(deliveries: Pick<DeliveryQueue, 'prune'>): BackgroundTask {
  return {
    name: 'prune_deliveries',
    everyMs: HOUR_MS,
    run: async (signal) => {
      await deliveries.prune(DELIVERY_HOURS, signal);
      return ALL_DONE;
    },
  };
}
