import type { DetectionTypes } from '../detection-type.ts';
import type { StateFilter } from '../store/detection-filter.ts';
import type { OperationParams } from './operation-params.ts';

export interface JobParams {
  readonly reembed: ReembedParams;
  readonly bulk_detect: RunParams;
  readonly reprocess: RunParams;
  readonly export: ExportParams;
  readonly import: ImportParams;
  readonly activate_model: ActivateModelParams;
  readonly model_download: ModelDownloadParams;
  readonly bulk_review: BulkReviewParams;
  readonly bulk_detections: BulkDetectionsParams;
  readonly bulk_images: BulkImagesParams;
  readonly undo: UndoParams;
}

export type JobType = keyof JobParams;

/** The job types as a record, so that the compiler reports a missing type. */
const TYPES: Readonly<Record<JobType, true>> = {
  reembed: true,
  bulk_detect: true,
  reprocess: true,
  export: true,
  import: true,
  activate_model: true,
  model_download: true,
  bulk_review: true,
  bulk_detections: true,
  bulk_images: true,
  undo: true,
};

export const JOB_TYPES = Object.keys(TYPES) as readonly JobType[];

/** Adds missing embeddings and references of a model to the stored faces of an environment. */
export interface ReembedParams {
  readonly modelId: number;
  /**
   * The faces to embed. `enrolled`: faces that have references. `stragglers`: the few faces with references that a
   * switch of the model missed, so that matching stays available. `all`: all other faces.
   */
  readonly faces: 'enrolled' | 'stragglers' | 'all';
}

/** Options of a job that runs the active models on each image. */
export interface RunParams {
  readonly types: DetectionTypes;
  /**
   * Whether stored detections of the requested types are removed first, rather than compared with the new detections.
   */
  readonly replace: boolean;
}

export interface ExportParams {
  /** Null if the whole environment is exported. */
  readonly identityIds: readonly number[] | null;
}

/** Empty, because the archive is the uploaded file of the only item. */
export type ImportParams = Readonly<Record<string, never>>;

export interface ActivateModelParams {
  readonly modelId: number;
  /** Whether enrolled faces get embeddings of the model before or after the switch. */
  readonly reembed: 'before' | 'after';
}

/** The model that a job downloads or verifies. The counters of the job are bytes. */
export interface ModelDownloadParams {
  readonly modelId: number;
}

/** A decision about the faces of the review queue that a filter selects, or about the faces of a group of strangers. */
export type BulkReviewParams = OperationParams &
  (
    | {
        readonly action: 'confirm' | 'reassign';
        readonly identityId: number;
        readonly where: StoredFaceFilter;
      }
    | { readonly action: 'reject' | 'unassign' | 'restore'; readonly where: StoredFaceFilter }
    | {
        readonly action: 'label_group';
        readonly target: { readonly label: string } | { readonly identityId: number };
      }
    | { readonly action: 'dismiss_group' }
  );

/** The conditions on faces of the review queue that may change. The time is text. */
export interface StoredFaceFilter {
  readonly identityId?: number;
  readonly minSimilarity?: number;
  readonly maxSimilarity?: number;
  readonly queuedUntil: string;
}

/**
 * The detections that the request chose, by ascending id, so that a job does nothing to others, which may match its filter
 * later.
 */
export interface ChosenInput {
  readonly ids: readonly number[];
}

export interface BulkReviewInput extends ChosenInput {
  /** The faces that are rejected from the identity of the others. */
  readonly rejected: readonly number[];
}

/** The action of a job on each detection that a filter finds. */
export type BulkDetectionsParams = OperationParams & { readonly where: StateFilter } & (
    | { readonly action: 'delete' | 'dismiss' }
    | { readonly action: 'move'; readonly identityId: number }
  );

/** The action of a job on each image that a filter has found. */
export type BulkImagesParams = OperationParams &
  ({ readonly action: 'delete' } | ({ readonly action: 'reprocess' } & RunParams));

export interface UndoParams extends OperationParams {
  readonly operationId: number;
  /** The label of the identity that returns, if its own is in use; null for its own. */
  readonly label: string | null;
  readonly isStrict: boolean;
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
  readonly bulk_review: BulkReviewInput;
  readonly bulk_detections: ChosenInput;
  readonly bulk_images: StoredImageInput;
  readonly undo: Readonly<Record<string, never>>;
}

export interface StoredImageInput {
  readonly sourceImageId: number;
}

export interface PostedImageInput {
  /** The name that the caller gave the image, for the item's result. */
  readonly name:
    | { readonly filename: string | null }
    | { readonly imageUrl: string }
    | { readonly filename?: undefined; readonly imageUrl?: undefined };
  readonly externalRef: string | null;
  /** The URL from which a worker fetches the image; null if the image is the item's uploaded file. */
  readonly imageUrl: string | null;
  /**
   * The encrypted user name and password of the URL, in base64; absent if it has none. They are removed when the item
   * ends.
   */
  readonly credentials?: string;
  /** Why the service rejected the image, so that the item fails; null if the image was accepted. */
  readonly refusal: ItemFailure | null;
}

export interface ItemFailure {
  /** A code of problem documents, or a code for items only: `cancelled` or `model_fetch_failed`. */
  readonly code: string;
  readonly detail: string;
}

/**
 * The job types with a single item, whose work reports the job's counters. The counters of other jobs are numbers of
 * items.
 */
export const COUNTED_BY_WORK: ReadonlySet<JobType> = new Set([
  'export',
  'import',
  'activate_model',
  'model_download',
  'bulk_review',
  'bulk_detections',
  'undo',
]);

/**
 * The maximum of a job's counters, which are 32-bit integers. Larger numbers, such as bytes, are stored as this
 * maximum.
 */
export const MAX_COUNT = 2 ** 31 - 1;

/** The maximum number of unfinished jobs of one environment. */
export const MAX_UNFINISHED_JOBS = 100;

export const RESULTS_KEPT_DAYS = 7;

export type JobStatus = 'pending' | 'running' | 'done' | 'failed';

export interface JobProgress {
  readonly total: number;
  readonly done: number;
  readonly failed: number;
}

export interface NewItem<T extends JobType = JobType> {
  readonly input: ItemInputs[T];
  /** The media key of a file that is deleted when the item ends, or with the results if the item fails. */
  readonly uploadKey?: string;
}

/** A job that embeds the faces of an environment with a model. Its items are created while it runs. */
export interface NewReembed {
  readonly environmentId: number;
  readonly params: ReembedParams;
  /** The number of images with faces that lack embeddings of the model. */
  readonly total: number;
}

export type NewJob<T extends JobType = JobType> = {
  readonly [Type in T]: {
    readonly type: Type;
    readonly params: JobParams[Type];
    readonly items: readonly NewItem<Type>[];
    /** The total, for the job types in `COUNTED_BY_WORK`. If absent, the total is the number of items. */
    readonly total?: number;
  };
}[T];

/** A job of the background workers. After its end, done + failed = total. */
export type Job<T extends JobType = JobType> = JobProgress &
  {
    readonly [Type in T]: {
      readonly id: number;
      readonly environmentId: number;
      readonly type: Type;
      readonly params: JobParams[Type];
      readonly status: JobStatus;
      /** The operation that the job carries out; null if its changes belong to none. */
      readonly operationId: number | null;
      /** The id of the last record that the work of the job has dealt with; null at the beginning. */
      readonly workedTo: number | null;
      /** Why the job failed, or `cancelled`; null if neither happened. */
      readonly error: string | null;
      /** Whether the job has ended and its results have not expired. */
      readonly hasResults: boolean;
      /** The media key of the result file; null if the job has none. */
      readonly resultsKey: string | null;
      readonly createdAt: Date;
      readonly finishedAt: Date | null;
    };
  }[T];
