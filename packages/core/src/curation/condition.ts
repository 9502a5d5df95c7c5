import type { Stores } from '../database/database.ts';
import { DomainError } from '../domain-error.ts';

/**
 * Returns those of some faces that a decision is still for, in any order. A transaction asks after it has locked the
 * images of the faces, so that no other decision about them comes in between.
 */
export type Condition = (stores: Stores, ids: readonly number[]) => Promise<readonly number[]>;

/** The face does not meet the condition of the decision any more. */
export class LeftOut extends DomainError {
  readonly code = 'changed_since';

  constructor(id: number) {
    super(`Detection ${id} was changed since it was chosen, so nothing was decided about it.`);
  }
}
