import { DomainError } from '../domain-error.ts';

/** The image does not hold as many faces as the operation needs; `faces` says how many it has. */
export class FaceCount extends DomainError {
  readonly code = 'face_count';
}
