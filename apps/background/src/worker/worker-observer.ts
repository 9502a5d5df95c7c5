import type { ConsumerName } from '@sightline/core/events/event-stream';
import type { RelayState } from '@sightline/core/events/relay-store';
import type { QueueState } from '@sightline/core/webhooks/delivery-queue';
import type { JobType } from '@sightline/core/jobs/job';
import type { JobsState } from '@sightline/core/jobs/job-queue';
import type { OutboxState } from '@sightline/core/maintenance/maintenance-store';
import type { IndexDrift } from '@sightline/core/vectors/index-drift';
import type { IndexReader } from '@sightline/core/vectors/index-status';

/** Notified of the results of background tasks. */
export interface WorkerObserver {
  taskFailed(task: string): void;
  /** The state of the index of this process; null if its reader is not registered. */
  indexMeasured(
    reader: Pick<IndexReader, 'state' | 'backlog' | 'comparedAt' | 'drift'> | null,
  ): void;
  /** The result of a comparison of the whole index. */
  indexCompared(drift: IndexDrift): void;
  /** The number of points in the index that is being filled; null once the fill has ended. */
  indexFilling(points: number | null): void;
  outboxState(state: OutboxState): void;
  /** How long the next event of each consumer has waited, in seconds. */
  consumersMeasured(lags: Readonly<Record<ConsumerName, number>>): void;
  /** The states of the relays of all topics. */
  relaysMeasured(states: readonly RelayState[]): void;
  messagesMeasured(state: QueueState): void;
  orphansCollected(count: number): void;
  /** This process has ended an item. */
  jobItemEnded(type: JobType, outcome: 'done' | 'failed'): void;
  /** The unfinished jobs of all environments. */
  jobsMeasured(state: JobsState): void;
}
