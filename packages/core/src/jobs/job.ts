/** The params of each type of job. A type is added together with its implementation. */
export interface JobParams {
  readonly reembed: ReembedParams;
}

export type JobType = keyof JobParams;

/** Adds the missing vectors and references of a model to the stored faces of an environment. */
export interface ReembedParams {
  readonly modelId: number;
  /** Faces that have references, or all that are left. */
  readonly faces: 'enrolled' | 'all';
}

export type JobStatus = 'pending' | 'running' | 'done' | 'failed';

/** Counts of the items of a job. */
export interface JobProgress {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
}

/** A job of type T before it is stored. */
export type NewJob<T extends JobType = JobType> = {
  readonly [Type in T]: {
    readonly environmentId: number;
    readonly type: Type;
    readonly params: JobParams[Type];
    readonly total: number;
  };
}[T];

/** Background work. done + failed = total when it has finished. */
export type Job<T extends JobType = JobType> = NewJob<T> &
  JobProgress & {
    readonly id: number;
    readonly status: JobStatus;
    /** Why the job could not run; null if it could. */
    readonly error: string | null;
    readonly createdAt: Date;
    readonly finishedAt: Date | null;
  };
