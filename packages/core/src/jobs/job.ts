export type JobType =
  | 'bulk_detect'
  | 'reprocess'
  | 'model_download'
  | 'import'
  | 'export'
  | 'reembed'
  | 'delete_environment';

export type JobStatus = 'pending' | 'running' | 'done' | 'failed';

/** Work that goes on after the answer. done + failed = total when it has finished. */
export interface Job {
  readonly id: number;
  readonly environmentId: number;
  readonly type: JobType;
  readonly status: JobStatus;
  readonly total: number;
  readonly done: number;
  readonly failed: number;
  readonly params: Readonly<Record<string, unknown>>;
  /** Why it could not run at all. */
  readonly error: string | null;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

export type JobProgress = Pick<Job, 'total' | 'done' | 'failed'>;
