import type { DetectionType } from '../detection-type.ts';
import { DomainError } from '../domain-error.ts';
import type { Identity } from './identity.ts';

export class IdentityExists extends DomainError {
  readonly code = 'identity_exists';

  constructor({ id, type, label }: Pick<Identity, 'id' | 'type' | 'label'>) {
    super(`An identity of type ${type} with the label "${label}" already exists.`, {
      identity_id: id,
    });
  }
}

/** A face was to get an identity of type object, or an object an identity of type face. */
export class TypeMismatch extends DomainError {
  readonly code = 'type_mismatch';

  constructor(detection: DetectionType, identity: DetectionType) {
    super(`A detection of type ${detection} cannot have an identity of type ${identity}.`);
  }
}

export class TypesDiffer extends DomainError {
  readonly code = 'type_mismatch';

  constructor(source: Pick<Identity, 'type'>, target: Pick<Identity, 'type'>) {
    super(`An identity of type ${source.type} cannot be merged into one of type ${target.type}.`);
  }
}

export class MergeIntoItself extends DomainError {
  readonly code = 'invalid_request';

  constructor() {
    super('An identity cannot be merged into itself.');
  }
}

export class ExternalRefConflict extends DomainError {
  readonly code = 'external_ref_conflict';

  constructor({ id, label }: Pick<Identity, 'id' | 'label'>) {
    super(`The identity "${label}" already has another external_ref.`, { identity_id: id });
  }
}

export class NotOfIdentity extends DomainError {
  readonly code = 'not_of_identity';

  constructor(detectionId: number, identityId: number) {
    super(`Detection ${detectionId} does not belong to identity ${identityId}.`);
  }
}
