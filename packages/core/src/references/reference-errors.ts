import { DomainError } from '../domain-error.ts';

/** The face is already a reference of another identity. The fact `identity_id` is that identity. */
export class EnrolledElsewhere extends DomainError {
  readonly code = 'enrolled_elsewhere';

  constructor(identityId: number) {
    super('The face is enrolled under another identity.', { identity_id: identityId });
  }
}

/** The end of a sentence about a face of which the active model cannot make an embedding. */
export const CANNOT_ALIGN =
  'cannot be compared: its eyes, nose and mouth were not found in plausible positions';

/** A face has no embedding, or the active face model computes none, so that nothing can be enrolled or compared. */
export class NoEmbedding extends DomainError {
  readonly code = 'no_embedding';
}

export class NotAssigned extends DomainError {
  readonly code = 'not_assigned';

  constructor(detectionId: number) {
    super(
      `Detection ${detectionId} has no identity under which it could be enrolled: assign one first.`,
    );
  }
}
