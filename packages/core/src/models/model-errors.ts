import { DomainError } from '../domain-error.ts';

/** The request needs a model of a task for which none is active. */
export class NoActiveModel extends DomainError {
  readonly code = 'no_active_model';
}

/** The inference queue is full; the caller may try again after `retryAfterSeconds`. */
export class InferenceOverloaded extends DomainError {
  readonly code = 'overloaded';
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('The inference queue is full; try again later.');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Inference failed or cannot be reached; the same request may succeed later. */
export class InferenceUnavailable extends DomainError {
  readonly code = 'inference_unavailable';
}

/**
 * The analysis of one image failed unexpectedly, or its worker thread ended. The same request may succeed
 * later, unless the image is the cause: work that is tried again gives up after the second time.
 */
export class AnalysisFailed extends InferenceUnavailable {
  readonly hasDied = true;
}

/** The process that was asked does not hold a model that the request names; another one may. */
export class ModelNotHere extends InferenceUnavailable {
  readonly isNotHere = true;
}

/** The files of the model are not here: download it first. */
export class ModelNotDownloaded extends DomainError {
  readonly code = 'model_not_downloaded';
}

/** Another model is becoming the active one of the slot. */
export class ActivationInProgress extends DomainError {
  readonly code = 'in_progress';
}

/** A model cannot be loaded; the message names the file and the reason. */
export class ModelLoadFailed extends DomainError {
  readonly code = 'model_load_failed';
}
