import { DomainError } from '../domain-error.ts';

/** The most records of an operation that a request takes back. */
export const MAX_AT_ONCE = 1000;

/** The values from before the operation are deleted. */
export class NotUndoable extends DomainError {
  readonly code = 'not_undoable';

  constructor(id: number) {
    super(`The values from before operation ${id} are not kept any more, so it cannot be undone.`);
  }
}

/**
 * The most records of an operation that are taken back as a whole. They are taken back in one transaction, for which all
 * other writers of the environment wait.
 */
export const MAX_STRICT = 10_000;

/** An operation has so many records that only a job takes it back, or that it is not taken back as a whole. */
export class OperationTooLarge extends DomainError {
  readonly code = 'invalid_request';

  constructor(count: number, { isStrict }: { readonly isStrict: boolean }) {
    const remedy = isStrict
      ? `up to ${MAX_STRICT} are taken back as a whole: send strict as false`
      : `with async=true a job takes back more than ${MAX_AT_ONCE}`;
    super(`The operation has ${count} records; ${remedy}.`);
  }
}

/** Later changes keep an operation from being undone as a whole. */
export class ChangedSince extends DomainError {
  readonly code = 'changed_since';

  constructor(count: number) {
    super(
      `${count} of the changed records have been changed again since, so the operation was not undone: send strict as false to undo the others.`,
      { changed: count },
    );
  }
}
