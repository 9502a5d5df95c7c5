import { DomainError } from '../domain-error.ts';

/** The image does not have the number of faces that the operation needs. The fact `faces` is the actual number. */
export class FaceCount extends DomainError {
  readonly code = 'face_count';
}
