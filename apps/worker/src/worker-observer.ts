import type { JobProgress, JobType } from '@sightline/core/jobs/job';
import type { OutboxState } from '@sightline/core/maintenance/maintenance-store';
import type { IndexDrift } from '@sightline/core/vectors/compare-index';

/** Told what the background tasks find and do. */
export interface WorkerObserver {
  taskFailed(task: string): void;
  /** How many changes wait for the index. */
  indexBacklog(changes: number): void;
  /** What the last comparison of the index found. */
  indexDrift(drift: IndexDrift): void;
  outboxState(state: OutboxState): void;
  orphansCollected(count: number): void;
  jobProgressed(type: JobType, progress: JobProgress): void;
}
