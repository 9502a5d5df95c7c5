import { DomainError } from '../domain-error.ts';

/** The values from before the operation are deleted. */
export class NotUndoable extends DomainError {
  readonly code = 'not_undoable';

  constructor(id: number) {
    super(`The values from before operation ${id} are not kept any more, so it cannot be undone.`);
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
