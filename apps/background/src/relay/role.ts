import { backgroundRole } from '../tasks/background-role.ts';
import type { BackgroundTask } from '../tasks/background-task.ts';
import { leaderTask } from '../tasks/leader-task.ts';
import { OutageLog } from '../tasks/outage-log.ts';
import { TaskLoop } from '../tasks/task-loop.ts';
import type { EventPublisher } from '@sightline/core/events/event-publisher';
import type { OutboxReader } from '@sightline/core/events/outbox-reader';
import type { RelayStore } from '@sightline/core/events/relay-store';
import type { LeaseStore } from '@sightline/core/leases/lease-store';
import { EventRelay } from '@sightline/core/publishing/event-relay';
import type { Role } from '@sightline/platform/lifecycle/role';
import type { ProcessContext } from '@sightline/platform/process/run-process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRelayMetrics } from './relay-metrics.ts';

export interface RelayRoleDeps extends Pick<ProcessContext, 'logger' | 'registry'> {
  readonly outbox: OutboxReader;
  readonly relays: RelayStore;
  readonly leases: LeaseStore;
  readonly publisher: EventPublisher;
}

/** The interval of heartbeats, in ms. The lease lasts three of them, so another relay takes over 6 s after a crash. */
const EVERY_MS = 2_000;
const POLL_MS = 50;
/** The duration of one run, in ms. The lease is renewed between runs. */
const RUN_MS = 1_500;

/** Publishes events. Any number of processes may have this role, but only one of them publishes at a time. */
export function createRelayRole(deps: RelayRoleDeps): Role {
  const { logger, leases } = deps;
  const relay = new EventRelay({ ...deps, ...createRelayMetrics(deps.registry) });
  const task: BackgroundTask = {
    name: 'relay_events',
    everyMs: EVERY_MS,
    async run(signal) {
      const end = performance.now() + RUN_MS;
      do {
        const { more } = await relay.publishNext(signal);
        if (!more) await sleep(POLL_MS, undefined, { signal });
      } while (performance.now() < end);
      return { more: true };
    },
  };
  const led = leaderTask(task, { leases, holder: randomUUID() });
  const loop = new TaskLoop(led, { outages: new OutageLog(logger) });
  return backgroundRole({ name: 'relay', loops: [loop], release: () => led.release() });
}
