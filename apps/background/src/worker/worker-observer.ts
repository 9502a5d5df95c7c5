import type { ConsumerName } from '@sightline/core/events/event-stream';
import type { RelayState } from '@sightline/core/events/relay-store';
import type { QueueState } from '@sightline/core/webhooks/delivery-queue';
import type { JobType } from '@sightline/core/jobs/job';
import type { JobsState } from '@sightline/core/jobs/job-queue';
import type { OutboxState } from '@sightline/core/maintenance/maintenance-store';
import type { IndexDrift } from '@sightline/core/vectors/index-drift';
import type { IndexReader } from '@sightline/core/vectors/index-status';

export interface WorkerObserver {
  taskFailed(task: string): void;
  /** @param reader the state of this process's index; null if its reader is not registered */
  indexMeasured(
    reader: Pick<IndexReader, 'state' | 'backlog' | 'comparedAt' | 'drift'> | null,
  ): void;
  /** @param drift the differences between the whole index and the database */
  indexCompared(drift: IndexDrift): void;
  /** @param points the number of points in the index that is being filled; null when the fill has ended */
  indexFilling(points: number | null): void;
  /** @param reader the state of the follower of similarity; null if it has not begun */
  similarityMeasured(reader: Pick<IndexReader, 'backlog' | 'oldestSeconds'> | null): void;
  /** @param seconds how long a turn took that applied changes, or the computation of a tree */
  similarityWorked(kind: 'changes' | 'groups', seconds: number): void;
  /** Called for a face that is left out, because its vector cannot be compared. */
  faceSetAside(): void;
  outboxState(state: OutboxState): void;
  /** @param lags by consumer: how long its next event has waited, in seconds */
  consumersMeasured(lags: Readonly<Record<ConsumerName, number>>): void;
  relaysMeasured(states: readonly RelayState[]): void;
  messagesMeasured(state: QueueState): void;
  orphansCollected(count: number): void;
  jobItemEnded(type: JobType, outcome: 'done' | 'failed'): void;
  /** @param state the unfinished jobs of all environments */
  jobsMeasured(state: JobsState): void;
}
