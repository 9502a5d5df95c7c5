import type { DomainError } from '@sightline/core/domain-error';

/** How answers of batches show the error of one item. */
export function presentItemError({ code, message }: DomainError) {
  return { code, detail: message };
}
