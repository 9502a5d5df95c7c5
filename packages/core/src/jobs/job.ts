import type { DetectionTypes } from '../detection-type.ts';

/** The params of each type of job. A type is added together with its implementation. */
export interface JobParams {
  readonly reembed: ReembedParams;
  readonly bulk_detect: RunParams;
  readonly reprocess: RunParams;
  readonly export: ExportParams;
  readonly import: ImportParams;
  readonly activate_model: ActivateModelParams;
  readonly model_download: ModelDownloadParams;
}

export type JobType = keyof JobParams;

/** A record, because the compiler then finds a missing type. */
const TYPES: Readonly<Record<JobType, true>> = {
  reembed: true,
  bulk_detect: true,
  reprocess: true,
  export: true,
  import: true,
  activate_model: true,
  model_download: true,
};

export const JOB_TYPES = Object.keys(TYPES) as readonly JobType[];

/** Adds the missing vectors and references of a model to the stored faces of an environment. */
export interface ReembedParams {
  readonly modelId: number;
  /**
   * `enrolled`: faces that have references. `all`: all that are left. `stragglers`: faces with
   * references that were missed when the model became active; they are few, so matching goes on.
   */
  readonly faces: 'enrolled' | 'stragglers' | 'all';
}

/** Runs the active models on each image. */
export interface RunParams {
  readonly types: DetectionTypes;
  /** Remove the stored detections of these types, instead of comparing them with the findings. */
  readonly replace: boolean;
}

export interface ExportParams {
  /** Null: everything. */
  readonly identityIds: readonly number[] | null;
}

/** The archive is the upload of the only item. */
export type ImportParams = Readonly<Record<string, never>>;

/** Makes a model the active one of its slot. */
export interface ActivateModelParams {
  readonly modelId: number;
  /** Whether enrolled faces get vectors of the model before it is active, or after. */
  readonly reembed: 'before' | 'after';
}

/** Downloads a model of the installation, or verifies its files. Its counters are bytes. */
export interface ModelDownloadParams {
  readonly modelId: number;
}

/** The input of an item, by the type of its job. */
export interface ItemInputs {
  readonly reembed: StoredImageInput;
  readonly reprocess: StoredImageInput;
  readonly bulk_detect: PostedImageInput;
  readonly export: Readonly<Record<string, never>>;
  readonly import: Readonly<Record<string, never>>;
  readonly activate_model: Readonly<Record<string, never>>;
  readonly model_download: Readonly<Record<string, never>>;
}

export interface StoredImageInput {
  readonly sourceImageId: number;
}

export interface PostedImageInput {
  /** How the caller named the image, which the item's result repeats. */
  readonly name:
    | { readonly filename: string | null }
    | { readonly imageUrl: string }
    | { readonly filename?: undefined; readonly imageUrl?: undefined };
  readonly externalRef: string | null;
  /** The URL to fetch when the item's turn comes; null: the image is the item's upload. */
  readonly imageUrl: string | null;
  /** Why the service did not accept the image, which fails the item; null: it did. */
  readonly refusal: ItemFailure | null;
}

/** Why an item failed. */
export interface ItemFailure {
  /** A code of problem documents, or one that only items have: `cancelled`, `model_fetch_failed`. */
  readonly code: string;
  readonly detail: string;
}

/**
 * Types of jobs with a single item, whose work reports the job's counters. Other jobs count their
 * items.
 */
export const COUNTED_BY_WORK: ReadonlySet<JobType> = new Set([
  'export',
  'import',
  'activate_model',
  'model_download',
]);

/**
 * The maximum of a job's counters, which are 32-bit integers. Larger numbers, such as bytes, count
 * as this.
 */
export const MAX_COUNT = 2 ** 31 - 1;

/** The maximum number of unfinished jobs per environment. */
export const MAX_UNFINISHED_JOBS = 100;

/** How long the results of a finished job are kept. */
export const RESULTS_KEPT_DAYS = 7;

export type JobStatus = 'pending' | 'running' | 'done' | 'failed';

/** Counts of the items of a job. */
export interface JobProgress {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
}

export interface NewItem<T extends JobType = JobType> {
  readonly input: ItemInputs[T];
  /** The media key of a file that is deleted when the item ends. */
  readonly uploadKey?: string;
}

/** A job that re-embeds the faces of an environment for a model; its items are made while it runs. */
export interface NewReembed {
  readonly environmentId: number;
  readonly params: ReembedParams;
  /** The number of images that lack vectors of the model. */
  readonly total: number;
}

/** A job of type T before it is stored. */
export type NewJob<T extends JobType = JobType> = {
  readonly [Type in T]: {
    readonly type: Type;
    readonly params: JobParams[Type];
    readonly items: readonly NewItem<Type>[];
    /** The known total of a job that is counted by its work; absent: the number of items. */
    readonly total?: number;
  };
}[T];

/** Background work. done + failed = total when it has finished. */
export type Job<T extends JobType = JobType> = JobProgress &
  {
    readonly [Type in T]: {
      readonly id: number;
      readonly environmentId: number;
      readonly type: Type;
      readonly params: JobParams[Type];
      readonly status: JobStatus;
      /** Why the job could not run, or `cancelled`; null if it could. */
      readonly error: string | null;
      /** Whether it has ended and its results are still kept. */
      readonly hasResults: boolean;
      /** The media key of a file that is its result. */
      readonly resultsKey: string | null;
      readonly createdAt: Date;
      readonly finishedAt: Date | null;
    };
  }[T];
