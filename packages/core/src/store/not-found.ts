import { DomainError } from '../domain-error.ts';

/** There is no such record in this environment. */
export class NotFound extends DomainError {
  readonly code = 'not_found';

  constructor(what: string, id: number | string) {
    super(`There is no ${what} ${id}.`);
  }
}
