import type { DomainError } from '@sightline/core/domain-error';

/** The error of one item in the response of a batch. */
export function presentItemError({ code, message }: DomainError) {
  return { code, detail: message };
}
