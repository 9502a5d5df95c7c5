import { DomainError } from '../domain-error.ts';

/** The vector index does not respond, is being filled, or has too many pending changes. A retry may succeed. */
export class VectorsUnavailable extends DomainError {
  readonly code = 'vectors_unavailable';
}
