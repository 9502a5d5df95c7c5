import { DomainError } from '../domain-error.ts';

/** The action is only possible on faces, but the detection is an object. */
export class NotAFace extends DomainError {
  readonly code = 'not_a_face';

  constructor(detectionId: number) {
    super(`Detection ${detectionId} is an object, not a face.`);
  }
}

/** The box that a person drew contains no pixel of the image. */
export class InvalidBox extends DomainError {
  readonly code = 'invalid_request';
}

/** A detection cannot be restored, because it is not rejected. */
export class NotRejected extends DomainError {
  readonly code = 'not_rejected';

  constructor(detectionId: number) {
    super(`Detection ${detectionId} is not rejected.`);
  }
}
