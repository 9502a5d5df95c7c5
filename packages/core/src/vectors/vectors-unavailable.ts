import { DomainError } from '../domain-error.ts';

/** The index of vectors is down, being built or too far behind; the same request may succeed later. */
export class VectorsUnavailable extends DomainError {
  readonly code = 'vectors_unavailable';
}
