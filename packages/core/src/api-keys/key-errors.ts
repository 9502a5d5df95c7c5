import { DomainError } from '../domain-error.ts';
import { MOST_KEYS } from './key-store.ts';

/** The environment already has the maximum number of valid keys. */
export class TooManyKeys extends DomainError {
  readonly code = 'limit_reached';

  constructor() {
    super(`An environment has at most ${MOST_KEYS} valid keys; delete one first.`);
  }
}
