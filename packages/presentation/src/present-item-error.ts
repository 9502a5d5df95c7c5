import type { DomainError } from '@sightline/core/domain-error';

export function presentItemError({ code, message }: DomainError) {
  return { code, detail: message };
}
