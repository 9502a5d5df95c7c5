import { DomainError } from '../domain-error.ts';
import { ModelFetchFailed } from './model-source.ts';

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

  constructor() {
    super('Another activation of the task is under way.');
  }
}

/** Which model answers is declared elsewhere; the message says where. */
export class ActivationDeclared extends DomainError {
  readonly code = 'activation_declared';
}

/** Another model was requested before this one became active. */
export class ActivationSuperseded extends DomainError {
  readonly code = 'activation_superseded';
}

/** A model cannot be loaded; the message names the file and the reason. */
export class ModelLoadFailed extends DomainError {
  readonly code = 'model_load_failed';
}

/** There is nothing from which the model could be downloaded. */
export class NoSource extends DomainError {
  readonly code = 'no_source';

  constructor(message = 'The catalog names no place from which this model can be downloaded.') {
    super(message);
  }
}

/** The installation has no store from which all processes that run models could get a download. */
export class NoModelStore extends DomainError {
  readonly code = 'no_model_store';

  constructor() {
    super(
      'Downloaded models have no place that all inference processes can read: configure an S3 bucket, or put the pack into their models folders.',
    );
  }
}

/** What was downloaded is not what the row says. */
export class ModelChanged extends ModelFetchFailed {
  constructor(digests: { readonly expected: string; readonly received: string }) {
    super(
      `The source has other bytes than before: expected the digest ${digests.expected}, received ${digests.received}.`,
      { reason: 'digest_mismatch' },
    );
  }
}
