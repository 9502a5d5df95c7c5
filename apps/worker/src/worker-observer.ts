import type { JobProgress, JobType } from '@sightline/core/jobs/job';
import type { OutboxState } from '@sightline/core/maintenance/maintenance-store';
import type { IndexDrift } from '@sightline/core/vectors/index-drift';
import type { IndexReader } from '@sightline/core/vectors/index-status';

/** Told what the background tasks find and do. */
export interface WorkerObserver {
  taskFailed(task: string): void;
  /** How the index of this process stands, whoever keeps it; null if its reader is not known. */
  indexStands(reader: IndexReader | null): void;
  /** What a comparison of the whole index found just now. */
  indexCompared(drift: IndexDrift): void;
  /** How many points the index has that is being filled; null when it is no longer. */
  indexFilling(points: number | null): void;
  outboxState(state: OutboxState): void;
  orphansCollected(count: number): void;
  jobProgressed(type: JobType, progress: JobProgress): void;
}
