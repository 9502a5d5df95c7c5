import { DomainError } from '../domain-error.ts';
import { ModelFetchFailed } from './model-source.ts';

export class NoActiveModel extends DomainError {
  readonly code = 'no_active_model';
}

export class InferenceOverloaded extends DomainError {
  readonly code = 'overloaded';
  readonly retryAfterSeconds: number;

  constructor(
    retryAfterSeconds: number,
    message = 'The inference queue is full; try again later.',
  ) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Inference failed or cannot be reached. A retry may succeed. */
export class InferenceUnavailable extends DomainError {
  readonly code = 'inference_unavailable';
}

/**
 * The analysis of one image failed unexpectedly, or its worker thread died. The image may be the cause, so background
 * work retries only once.
 */
export class AnalysisFailed extends InferenceUnavailable {
  readonly crash = 'thread';
}

/**
 * The connection to an inference process ended during the analysis of an image. The image may have crashed the process,
 * or another image that the process analyzed at the same time.
 */
export class InferenceLost extends InferenceUnavailable {
  /** `inference_alone` if the process had said that it analyzed no other image. */
  readonly crash: 'inference' | 'inference_alone';

  constructor(
    message: string,
    { crash, cause }: Pick<InferenceLost, 'crash'> & { readonly cause: unknown },
  ) {
    super(message, {}, { cause });
    this.crash = crash;
  }
}

/** The process has not loaded a model that the request names. Another process may have loaded the model. */
export class ModelNotHere extends InferenceUnavailable {
  readonly isNotHere = true;
}

export class ModelNotDownloaded extends DomainError {
  readonly code = 'model_not_downloaded';
}

export class ActivationInProgress extends DomainError {
  readonly code = 'in_progress';

  constructor() {
    super('Another activation for this task is running: wait for its end, or cancel its job.');
  }
}

/** A declaration outside the service selects the active model. The message names the declaration. */
export class ActivationDeclared extends DomainError {
  readonly code = 'activation_declared';
}

export class ActivationSuperseded extends DomainError {
  readonly code = 'activation_superseded';
}

/** The last vector of a foreign model was deleted while an import was about to store another one. */
export class ForeignModelDeleted extends InferenceUnavailable {
  constructor() {
    super('The last vector of a model was deleted while the archive was imported; try again.');
  }
}

/** A model cannot be loaded. The message names the file and the reason. */
export class ModelLoadFailed extends DomainError {
  readonly code = 'model_load_failed';
}

export class NoSource extends DomainError {
  readonly code = 'no_source';

  constructor(message = 'The catalog has no download address for this model.') {
    super(message);
  }
}

export class NoModelStore extends DomainError {
  readonly code = 'no_model_store';

  constructor() {
    super(
      'The installation has no model store that all inference processes can read: configure an S3 bucket, or put the pack into their models folders.',
    );
  }
}

/** The digest of the downloaded files differs from the digest in the database. */
export class ModelChanged extends ModelFetchFailed {
  constructor(digests: { readonly expected: string; readonly received: string }) {
    super(
      `The model's files at the source have changed: expected the digest ${digests.expected}, received ${digests.received}.`,
      { reason: 'digest_mismatch' },
    );
  }
}
