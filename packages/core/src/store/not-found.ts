import { DomainError } from '../domain-error.ts';

/** The environment has no record with this id. */
export class NotFound extends DomainError {
  readonly code = 'not_found';

  constructor(what: string, id: number | string) {
    super(`There is no ${what} ${id}.`);
  }
}
