/** The one who asked for a job that carries out an operation, so that the operation and the audit name the same actor. */
export interface JobAuthor {
  readonly accountId: string | null;
  readonly keyId: number | null;
  readonly requestId: string;
}

/** The options that all jobs have that carry out an operation. */
export interface OperationParams {
  readonly author: JobAuthor;
  /** Whether nothing of what the job deletes is kept. */
  readonly isPurge?: boolean;
}
