import type { JobProgress } from '../jobs/job.ts';
import type { ModelSlot } from './model-slot.ts';

/** A request that a model becomes the active one of its slot. */
export interface NewActivation {
  readonly modelId: number;
  /** Of the job that does it. */
  readonly environmentId: number;
  /** Whether enrolled faces get vectors of the model before it is active, or after. */
  readonly reembed: 'before' | 'after';
  /** The rollout begins it and no caller, so the limit of jobs of an environment does not count. */
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

  /** Models that were rolled back in the last switch of their slot. */
  rolledBack(signal?: AbortSignal): Promise<readonly RolledBack[]>;

  /**
   * Activations that are over, although a cluster may still desire them: those of {@link rolledBack}, and those whose jobs were
   * cancelled since the last switch of their slot.
   */
  lost(signal?: AbortSignal): Promise<readonly LostActivation[]>;

  /** Allows an activation of a slot to be repeated. @returns false while requests may still name the model that was rolled back */
  forgive(slot: ModelSlot): Promise<boolean>;
}

export interface PendingActivation {
  readonly slot: ModelSlot;
  readonly modelId: number;
  readonly jobId: number;
  readonly progress: JobProgress;
}

export interface RolledBack {
  readonly slot: ModelSlot;
  /** The revision of the model that was rolled back. */
  readonly revision: string;
  /** A sentence. */
  readonly reason: string;
}

export interface LostActivation extends Pick<RolledBack, 'slot' | 'revision'> {
  /** Why the model was rolled back; null: its job was cancelled. */
  readonly reason: string | null;
}

export interface RecentSwitch {
  readonly modelId: number;
  readonly previousId: number;
}
