import { backgroundRole } from '../tasks/background-role.ts';
import type { ConsumerObserver } from '../tasks/consumer-metrics.ts';
import { consumerTasks } from '../tasks/consumer-tasks.ts';
import { OutageLog } from '../tasks/outage-log.ts';
import { TaskLoop } from '../tasks/task-loop.ts';
import type { ConsumerStore } from '@sightline/core/database/consumer-store';
import type { EventStream } from '@sightline/core/events/event-stream';
import { EventConsumer } from '@sightline/core/publishing/event-consumer';
import type { Role } from '@sightline/platform/lifecycle/role';
import type { ProcessContext } from '@sightline/platform/process/run-process';
import { feedEntriesOf } from './feed-entries-of.ts';

export interface ProjectorRoleDeps extends Pick<ProcessContext, 'logger'> {
  readonly consumers: ConsumerStore;
  readonly events: EventStream;
  readonly observer?: ConsumerObserver;
}

/** Writes the change feeds. Any number of processes may have this role. */
export function createProjectorRole({
  logger,
  consumers,
  events,
  observer,
}: ProjectorRoleDeps): Role {
  const consumer = new EventConsumer({
    store: consumers,
    stream: events,
    consumer: 'feed',
    consume: ({ feed }, stored) => feed.append(stored.flatMap(feedEntriesOf)),
    ...observer,
  });
  const outages = new OutageLog(logger);
  const loops = consumerTasks(consumer, 'write_feed').map(
    (task) => new TaskLoop(task, { outages }),
  );
  return backgroundRole({ name: 'projector', loops });
}
