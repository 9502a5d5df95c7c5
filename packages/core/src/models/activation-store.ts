import type { JobProgress } from '../jobs/job.ts';
import type { ModelSlot } from './model-slot.ts';

/** A wish of a caller that a model becomes the active one of its slot. */
export interface NewActivation {
  readonly modelId: number;
  /** Of the job that does it. */
  readonly environmentId: number;
  /** Whether enrolled faces get vectors of the model before it is active, or after. */
  readonly reembed: 'before' | 'after';
  /** A cluster wishes it, and no caller: the jobs of the environment do not stand in its way. */
  readonly isDeclared?: boolean;
}

export type BegunActivation =
  | { readonly kind: 'active' }
  | {
      readonly kind: 'begun';
      readonly jobId: number;
      /** The active model of the slot; null: there is none. */
      readonly previousId: number | null;
    };

/** An image with enrolled faces that lack vectors or references of a model. */
export interface EnrolledImage {
  readonly environmentId: number;
  readonly sourceImageId: number;
}

/** Activations that callers have asked for. Throws StoreUnavailable. */
export interface ActivationStore {
  /**
   * Creates the job of an activation, after which the model is the pending one until the job has ended.
   *
   * @throws NotFound, ModelNotDownloaded, TooManyJobs; ActivationInProgress while the slot has a pending model
   */
  begin(activation: NewActivation): Promise<BegunActivation>;

  /** Images whose enrolled faces are behind the model, ascending, after this one; at most `limit`. */
  enrolledBehind(
    modelId: number,
    page: { readonly after: EnrolledImage | null; readonly limit: number },
  ): Promise<readonly EnrolledImage[]>;

  /** Images of {@link enrolledBehind}. */
  countEnrolledBehind(modelId: number): Promise<number>;

  /** How far the embedding for pending models is, in images. */
  pending(): Promise<readonly PendingActivation[]>;

  /**
   * Environments with faces that were told of since the model became active, and lack what they need of it, for some
   * minutes: requests that began with the one before it count for one, and whoever asks may have been away.
   */
  behindSinceSwitch(modelId: number): Promise<readonly number[]>;

  /**
   * The active model that replaced another one less than a minute ago; null if there is none in the slot.
   */
  recentSwitch(slot: ModelSlot): Promise<RecentSwitch | null>;

  /** Models that were replaced by those before them in the last switch of their slot. */
  givenWay(signal?: AbortSignal): Promise<readonly GivenWay[]>;

  /**
   * Wishes that are over, although a cluster may have them still: those of {@link givenWay}, and those whose jobs were
   * cancelled since the last switch of their slot.
   */
  lost(signal?: AbortSignal): Promise<readonly LostWish[]>;

  /** Lets what was lost of a slot be tried again. @returns false while the one before what gave way still counts */
  forgive(slot: ModelSlot): Promise<boolean>;
}

export interface PendingActivation {
  readonly slot: ModelSlot;
  readonly modelId: number;
  readonly jobId: number;
  readonly progress: JobProgress;
}

export interface GivenWay {
  readonly slot: ModelSlot;
  /** Of the model that gave way. */
  readonly revision: string;
  /** A sentence. */
  readonly reason: string;
}

export interface LostWish extends Pick<GivenWay, 'slot' | 'revision'> {
  /** Why the model gave way; null: its job was cancelled. */
  readonly reason: string | null;
}

export interface RecentSwitch {
  readonly modelId: number;
  readonly previousId: number;
}
