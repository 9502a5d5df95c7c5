import type { ModelSlot } from './model-slot.ts';

/** A wish of a caller that a model becomes the active one of its slot. */
export interface NewActivation {
  readonly modelId: number;
  /** Of the job that does it. */
  readonly environmentId: number;
  /** Whether enrolled faces get vectors of the model before it is active, or after. */
  readonly reembed: 'before' | 'after';
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
   * Creates the job of an activation, after which the model is the coming one until the job has ended.
   *
   * @throws NotFound, ModelNotDownloaded, TooManyJobs; ActivationInProgress while the slot has a coming model
   */
  begin(activation: NewActivation): Promise<BegunActivation>;

  /** Images whose enrolled faces are behind the model, ascending, after this one; at most `limit`. */
  enrolledBehind(
    modelId: number,
    page: { readonly after: EnrolledImage | null; readonly limit: number },
  ): Promise<readonly EnrolledImage[]>;

  /**
   * Environments with faces that were told of since the model became active, and lack what they need of it, while
   * requests that began with the one before it still count.
   */
  behindSinceSwitch(modelId: number): Promise<readonly number[]>;

  /**
   * The active model that replaced another one less than a minute ago; null if there is none in the slot.
   */
  recentSwitch(slot: ModelSlot): Promise<RecentSwitch | null>;

  /** Why models of last switches were replaced by those before them, one sentence for each slot. */
  givenWay(signal?: AbortSignal): Promise<readonly string[]>;
}

export interface RecentSwitch {
  readonly modelId: number;
  readonly formerId: number;
}
