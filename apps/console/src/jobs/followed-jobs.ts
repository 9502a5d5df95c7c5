import type { Job } from './job.ts';

/** A job that the person has started in this tab. */
export interface FollowedJob {
  readonly id: number;
  /** The text beside the progress, such as "Deleting images". */
  readonly title: string;
  /** The text of the bar at the end. Without it, the bar says nothing, because the caller does. */
  readonly done?: (job: Job) => string;
  /** The sentence of the bar before the reason if the job as a whole fails. */
  readonly failed?: string;
  /** Called once when the job has ended, whatever its result is. */
  readonly onEnd?: (job: Job) => void;
  /** Called instead if the job can no longer be read. */
  readonly onLost?: (error: Error) => void;
}

/** The jobs that a person has started in an environment, until each of them has ended. */
export class FollowedJobs {
  #running: readonly FollowedJob[] = [];
  readonly #ended = new Set<number>();
  readonly #listeners = new Set<() => void>();

  /** The oldest comes first. */
  get running(): readonly FollowedJob[] {
    return this.#running;
  }

  /** Follows a job, unless it is or was followed before. */
  readonly follow = (job: FollowedJob): void => {
    if (this.#ended.has(job.id) || this.#running.some(({ id }) => id === job.id)) return;
    this.#running = [...this.#running, job];
    this.#notify();
  };

  /** Forgets a job at its end. */
  readonly end = (id: number): void => {
    this.#ended.add(id);
    this.#running = this.#running.filter((each) => each.id !== id);
    this.#notify();
  };

  hasEnded(id: number): boolean {
    return this.#ended.has(id);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
