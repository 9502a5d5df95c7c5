import type { RegisteredModel } from '../models/model-store.ts';

/** A wish that somebody may take back while it is carried out. */
export interface FollowedWish extends Disposable {
  /** Aborts with an ActivationSuperseded once the wish is taken back, and when the caller's signal aborts. */
  readonly signal: AbortSignal;
}

/** Sees to it that the processes that run models hold what is to become the active one. */
export interface ComingModels {
  /** Whether one activation has to follow another, also of the other slot: from `prepare` until it has switched. */
  readonly isExclusive: boolean;

  /**
   * Resolves once all processes that are to hold the model do.
   *
   * @throws ModelLoadFailed if one cannot load it; InferenceUnavailable while none answers; ActivationSuperseded if
   *   it is not wished any more; StoreUnavailable; the signal's reason on abort
   */
  prepare(model: RegisteredModel, signal: AbortSignal): Promise<void>;

  /** Follows the wish until it is disposed. */
  follow(model: RegisteredModel, signal: AbortSignal): FollowedWish;

  /** Called after the switch. @throws StoreUnavailable, InferenceUnavailable */
  switched(signal: AbortSignal): Promise<void>;
}
