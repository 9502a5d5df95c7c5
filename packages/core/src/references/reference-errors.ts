import { DomainError } from '../domain-error.ts';

/** The face is already a reference of another identity, which `identity_id` names. */
export class EnrolledElsewhere extends DomainError {
  readonly code = 'enrolled_elsewhere';

  constructor(identityId: number) {
    super('The face is enrolled under another identity.', { identity_id: identityId });
  }
}

/** The active face model makes no embeddings, so nothing can be enrolled or compared. */
export class NoEmbedding extends DomainError {
  readonly code = 'no_embedding';
}

/** The face has no identity, so there is none to enroll it under. */
export class NotAssigned extends DomainError {
  readonly code = 'not_assigned';

  constructor(detectionId: number) {
    super(`Detection ${detectionId} has no identity.`);
  }
}
