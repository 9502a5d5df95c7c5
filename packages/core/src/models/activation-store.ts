import type { Actor } from '../store/actor.ts';
import type { JobProgress } from '../jobs/job.ts';
import type { ModelSlot } from './model-slot.ts';

export interface NewActivation {
  readonly modelId: number;
  /** The environment that owns the job of the activation. */
  readonly environmentId: number;
  /** Whether enrolled faces get embeddings of the model before or after the switch. */
  readonly reembed: 'before' | 'after';
  /** The one who asks for the activation; the service if absent. */
  readonly actor?: Actor | undefined;
  /** Whether the rollout begins the activation, so that the environment's limit of jobs does not apply. */
  readonly isDeclared?: boolean;
}

export type BegunActivation =
  | { readonly kind: 'active' }
  | {
      readonly kind: 'begun';
      readonly jobId: number;
      /** The active model of the slot; null if no model is active. */
      readonly previousId: number | null;
    };

/** The work of an activation that remains to be done, in all environments. */
export interface ActivationWork {
  /** The number of images with faces that lack embeddings or references of the model. */
  readonly images: number;
  /** The number of these images in which such a face is enrolled. */
  readonly enrolledImages: number;
  /** The number of faces without an embedding of the model. */
  readonly faces: number;
  /**
   * The number of images per second of recent jobs that computed embeddings: of this model if there were any, else of
   * other models; null if there were none.
   */
  readonly imagesPerSecond: number | null;
}

/** An image with enrolled faces that lack embeddings or references of a model. */
export interface EnrolledImage {
  readonly environmentId: number;
  readonly sourceImageId: number;
}

/** Stores activations of models. All methods throw StoreUnavailable. */
export interface ActivationStore {
  /**
   * Creates the job of an activation. The model is pending until the job has ended.
   *
   * @throws NotFound, ModelNotDownloaded, TooManyJobs; ActivationInProgress if the slot already has a pending model
   */
  begin(activation: NewActivation): Promise<BegunActivation>;

  /**
   * A page of at most `limit` images with enrolled faces that lack embeddings or references of the model, in ascending
   * order. The page begins after the image `after`.
   */
  enrolledBehind(
    modelId: number,
    page: { readonly after: EnrolledImage | null; readonly limit: number },
  ): Promise<readonly EnrolledImage[]>;

  /** The number of images on all pages of {@link enrolledBehind}. */
  countEnrolledBehind(modelId: number): Promise<number>;

  /** Counts the images that an activation of the model embeds. This reads all faces. */
  work(modelId: number, signal?: AbortSignal): Promise<ActivationWork>;

  /** The pending activations. Their progress is a number of images. */
  pending(): Promise<readonly PendingActivation[]>;

  /**
   * The environments with faces that were stored or changed since the switch to the model, and lack its embeddings or
   * references. Requests that began before the switch may store such faces for one minute. From some minutes after the
   * switch, the result is empty; the extra time is a margin for a worker that restarts.
   */
  behindSinceSwitch(modelId: number): Promise<readonly number[]>;

  /** The last switch of the slot; null if it is older than a minute, or was a rollback. */
  recentSwitch(slot: ModelSlot): Promise<RecentSwitch | null>;

  /** The models that the last switch of their slot rolled back. */
  rolledBack(signal?: AbortSignal): Promise<readonly RolledBack[]>;

  /**
   * The models of {@link rolledBack}, and models whose activation job was cancelled since the last switch of their
   * slot. Although a cluster may still desire these models, the rollout must not activate them again by itself.
   */
  lost(signal?: AbortSignal): Promise<readonly LostActivation[]>;

  /**
   * Allows the slot's activation that was rolled back or cancelled to be repeated.
   *
   * @returns false while requests may still name the model that was rolled back
   */
  allowRetry(slot: ModelSlot): Promise<boolean>;
}

export interface PendingActivation {
  readonly slot: ModelSlot;
  readonly modelId: number;
  readonly jobId: number;
  readonly progress: JobProgress;
}

export interface RolledBack {
  readonly slot: ModelSlot;
  readonly revision: string;
  readonly reason: string;
}

/** An activation that was rolled back or cancelled. */
export interface LostActivation extends Pick<RolledBack, 'slot' | 'revision'> {
  /** Why the model was rolled back; null if its job was cancelled instead. */
  readonly reason: string | null;
}

export interface RecentSwitch {
  readonly modelId: number;
  readonly previousId: number;
}
