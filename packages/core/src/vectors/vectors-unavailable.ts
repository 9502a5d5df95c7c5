import { DomainError } from '../domain-error.ts';

/** The vector index is down, being filled or too far behind; the same request may succeed later. */
export class VectorsUnavailable extends DomainError {
  readonly code = 'vectors_unavailable';
}
