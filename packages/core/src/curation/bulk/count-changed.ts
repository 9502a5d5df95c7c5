import { DomainError } from '../../domain-error.ts';

/** The number of records that would be deleted is not the one that the caller has seen. */
export class CountChanged extends DomainError {
  readonly code = 'count_changed';

  constructor(count: number) {
    super(`${count} records match by now: send this number as confirm_count to delete them.`, {
      count,
    });
  }
}

/** @throws CountChanged if the caller has confirmed another number */
export function requireCount(count: number, confirmed: number): void {
  if (confirmed !== count) throw new CountChanged(count);
}
