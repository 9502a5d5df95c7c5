/** What a job of each type is told to do. A type is added together with its work. */
export interface JobParams {
  readonly reembed: ReembedParams;
}

export type JobType = keyof JobParams;

/** Gives the stored faces of the job's environment what they lack of a model. */
export interface ReembedParams {
  readonly modelId: number;
  /** Faces that have references, or all that are left. */
  readonly faces: 'enrolled' | 'all';
}

export type JobStatus = 'pending' | 'running' | 'done' | 'failed';

/** How many of the job's items are there, succeeded and failed. */
export interface JobProgress {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
}

/** What a job of type T is about, as its creator says it. */
export type NewJob<T extends JobType = JobType> = {
  readonly [Type in T]: {
    readonly environmentId: number;
    readonly type: Type;
    readonly params: JobParams[Type];
    readonly total: number;
  };
}[T];

/** Work that goes on after the answer. done + failed = total when it has finished. */
export type Job<T extends JobType = JobType> = NewJob<T> &
  JobProgress & {
    readonly id: number;
    readonly status: JobStatus;
    /** Why it could not run at all. */
    readonly error: string | null;
    readonly createdAt: Date;
    readonly finishedAt: Date | null;
  };
