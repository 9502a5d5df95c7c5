import { DomainError } from '../domain-error.ts';

/** The action is for faces, and the detection is an object. */
export class NotAFace extends DomainError {
  readonly code = 'not_a_face';

  constructor(detectionId: number) {
    super(`Detection ${detectionId} is an object, not a face.`);
  }
}

/** A drawn box has no pixel of its image. */
export class InvalidBox extends DomainError {
  readonly code = 'invalid_request';
}

/** Only a rejected detection can be restored. */
export class NotRejected extends DomainError {
  readonly code = 'not_rejected';

  constructor(detectionId: number) {
    super(`Detection ${detectionId} is not rejected.`);
  }
}
